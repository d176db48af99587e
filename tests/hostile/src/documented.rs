//! Structs with docs and derives; results that are used as any other.

ragged::accel! {
    /// A place on a grid.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
    pub struct Place {
        /// To the right.
        pub x: i32,
        /// Upwards.
        pub y: i32,
    }

    /// A place with a weight.
    #[derive(Debug, PartialEq)]
    pub struct Weighted {
        /// Where.
        pub place: Place,
        /// How much.
        pub weight: f64,
    }

    /// Mirrored places.
    pub fn mirrored(places: [Place]) -> [Place] { for p in places { Place { x: -p.x, ..p } } }

    /// With a weight for each.
    pub fn weighted(places: [Place; n], weights: [f64; n]) -> [Weighted; n] {
        zip(places, weights).map(|(place, weight)| Weighted { place, weight })
    }

    /// The heaviest.
    pub fn heaviest(all: [Weighted]) -> (Weighted, usize) {
        let at = all.map(|w| w.weight).argmax();
        (all[at], at)
    }

    /// The lightest first.
    pub fn by_weight(all: [Weighted]) -> [Weighted] { all.sort_by_key(|w| w.weight) }

    /// One place from its parts, from a struct, from a tuple.
    pub fn moved(place: Place, by: (i32, (i32, bool))) -> Place {
        let (x, (y, back)) = by;
        if back { Place { x: place.x - x, y: place.y - y } } else { Place { x: place.x + x, y: place.y + y } }
    }

    /// Arrays inside tuples, both ways.
    pub fn parts(both: ([i32; n], ([f32; n], f32))) -> ([i32; n], ([f32; n], f32)) {
        let (a, (b, c)) = both;
        (a.rev(), (b.map(|x| x * c), c))
    }
}

#[test]
fn run() -> ragged::Result<()> {
    let places = [Place { x: 1, y: 2 }, Place { x: 3, y: 4 }];
    let mirrored: std::collections::BTreeSet<Place> = mirrored(&places)?.into_iter().collect();
    assert_eq!(mirrored.len(), 2);
    let (found, at) = heaviest(&weighted(&places, &[1.0, 2.0])?)?;
    assert_eq!((found.place, at), (places[1], 1));
    assert_eq!(
        by_weight(&weighted(&places, &[2.0, 1.0])?)?[0].place,
        places[1]
    );
    assert_eq!(moved(places[0], (1, (1, true)))?, Place { x: 0, y: 1 });
    let (a, (b, c)) = parts((&[1, 2], (&[1.0, 2.0], 2.0)))?;
    assert_eq!((a, b), (vec![2, 1], vec![2.0, 4.0]));
    assert!((c - 2.0).abs() < f32::EPSILON);
    Ok(())
}
