//! Runs what the crate imports.

use ragged::{Error, ErrorKind};
use ragged_imports::{chains, in_functions, namesakes, paths, places, streams, structs};

#[test]
fn paths() -> ragged::Result<()> {
    let xs = [3.0, 4.0];
    assert_eq!(paths::twice(&xs)?, 100.0);
    assert_eq!(paths::groups::all(&xs)?, (5.0, 50.0, vec![30.0, 40.0]));
    assert_eq!(paths::groups::raw(1)?, 1);
    assert_eq!(paths::relative::both(&xs)?, 12.0);
    assert_eq!(
        paths::generics::means(&[1.0, 3.0], &[1.0, 3.0])?,
        (1.0, 0.0)
    );
    assert_eq!(paths::generics::passed(&xs)?, 3.5);
    assert_eq!(paths::restricted::both(1)?, 5);
    assert_eq!(paths::reexported::again(&[1.0])?, [100.0]);
    assert_eq!(paths::renamed_outside(&[1.0])?, [10.0]);
    Ok(())
}

#[test]
fn chains() {
    assert_eq!(chains::b::successors(&[1, 2]), Ok(vec![300, 400]));
    assert_eq!(chains::a::total(&[1, 2]), Ok(701));
    assert_eq!(chains::a::totals(&[1, 2]), Ok(vec![600, 1000]));
}

#[test]
fn namesakes() {
    let xs = [1.0, 2.0];
    assert_eq!(namesakes::mixed(&xs), Ok((10.0, vec![10.0, 20.0], 2001.0)));
    assert_eq!(namesakes::operators::hidden(&[3.0, 4.0]), Ok(5.0));
}

#[test]
fn in_functions() {
    assert_eq!(in_functions::outer(&[1.0]), Ok(3.0));
    assert_eq!(in_functions::beside(&[1]), Ok(vec![3]));
}

/// The text of the line that an error names, in the file that it names.
fn line(error: &Error) -> String {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/");
    let path = error.file().trim_start_matches("tests/imports/");
    let text = std::fs::read_to_string(format!("{root}{path}")).expect("the file is there");
    let line = text
        .lines()
        .nth(error.line() as usize - 1)
        .expect("the line is there");
    line.chars().skip(error.column() as usize - 1).collect()
}

#[test]
fn errors_name_the_imported_line() {
    let error = places::halves(&[1], 0).unwrap_err();
    assert_eq!(
        (error.function(), error.kind()),
        ("halves", &ErrorKind::DivisionByZero)
    );
    assert!(error.file().ends_with("library.rs"), "{error}");
    assert_eq!(line(&error), "x / by");

    let error = places::element(&[1.0], 1).unwrap_err();
    assert!(line(&error).starts_with("assert!(i < xs.len()"), "{error}");

    let error = places::here(&[1], 1).unwrap_err();
    assert!(error.file().ends_with("places.rs"), "{error}");
    assert_eq!(line(&error), "xs[i] }");

    let error = places::sizes(&[1.0], &[1.0, 2.0]).unwrap_err();
    assert!(error.file().ends_with("library.rs"), "{error}");
    assert!(line(&error).starts_with("[f32; n]) -> f32"), "{error}");
}

#[test]
fn explain_names_the_imported_line() {
    let text = paths::twice::EXPLAIN;
    assert!(
        text.starts_with("twice: kernels 1, intermediates 0, regular, work "),
        "{text}"
    );
    assert!(text.contains("src/library.rs"), "{text}");
}

#[test]
fn structs() -> ragged::Result<()> {
    use structs::Body;
    use structs::bodies::{Pair, mass};
    use structs::geometry::{Line, Point, middle};
    let (a, b) = (Point { x: 0.0, y: 0.0 }, Point { x: 2.0, y: 4.0 });
    let half = middle(Line { from: a, to: b })?;
    assert_eq!(half, Point { x: 1.0, y: 2.0 });
    assert_eq!(structs::named::middles(&[a, b, b])?, [half, b]);
    let heavy = structs::named::heavy(structs::named::line(), 3.0)?;
    assert_eq!((heavy.at.x, heavy.at.y, heavy.weight), (1.0, 2.0, 3.0));
    let lines = [Line { from: b, to: a }];
    assert_eq!(structs::renamed::left(&lines)?, [Point { x: 0.0, y: 2.0 }]);
    assert_eq!(structs::renamed::first_Place(&[b, a])?, b);
    assert_eq!(structs::unnamed::weights(&[a, b])?, 4.0);
    let body = Body {
        at: [1.0, 5.0],
        mass: 7.0,
    };
    let moved = structs::unnamed::twice(body)?;
    assert_eq!((moved.at, moved.mass), ([3.0, 5.0], 1.0));
    let pair = Pair { a: body, b: body };
    assert_eq!(mass(pair)?, 14.0);
    assert_eq!(structs::inside::masses(&[pair])?, [19.0]);
    assert_eq!(structs::inside::spreads(&[3.0])?, [1.5]);
    Ok(())
}

#[test]
fn streams() -> ragged::Result<()> {
    use streams::frames::{loud, means, numbered, of_matrix, range};
    let frames = || [vec![3.0, 4.0], vec![], vec![1.0]];
    let all: ragged::Result<Vec<f32>> = loud(frames(), 1.0)?.collect();
    assert_eq!(all, Ok(vec![2500.0, 100.0]));
    let extent = range(frames())?;
    assert_eq!((extent.low, extent.high), (0.0, 25.0));
    let all: ragged::Result<Vec<(usize, f32)>> = numbered(frames())?.collect();
    assert_eq!(all, Ok(vec![(0, 25.0), (2, 0.0), (4, 1.0)]));
    assert_eq!(means([[1.0, 2.0], [3.0, 4.0]], &[1.0, 10.0])?, (64.0, 74.0));
    let extent = of_matrix(&[[1.0, 2.0], [3.0, 4.0]])?;
    assert_eq!((extent.low, extent.high), (3.0, 7.0));
    assert_eq!(streams::again::count(frames(), 1.0), Ok(2));
    let mut handed_on = Vec::new();
    loud::for_each(frames(), 25.0, |energy| -> Result<(), &str> {
        handed_on.push(energy);
        Ok(())
    })?;
    assert_eq!(handed_on, [2500.0]);
    Ok(())
}

#[test]
fn errors_of_streams_name_the_imported_line() {
    let mut all = streams::frames::shares([3, 5], 0).expect("nothing is computed yet");
    let error = all.next().expect("an error").unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::DivisionByZero);
    assert!(error.file().ends_with("streams.rs"), "{error}");
    assert_eq!(line(&error), "x / by) }");
    assert!(all.next().is_none());
}
