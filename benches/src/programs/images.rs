//! Programs on grids of pixels, as one would first write them.

ragged::accel! {
    /// Pixels that may belong to edges, before it is known which hang together: 2 if they do, 1 if perhaps.
    pub fn marks(grey: [[u8; m]; n], low: i16, high: i16) -> [[u8; m]; n] {
        marked(ridges(slopes(smooth(grey))), low, high)
    }

    /// Pixels that belong to edges are 1: those whose slope is at least `high`, and those above `low`
    /// that hang together with one of these.
    pub fn edges(grey: [[u8; m]; n], low: i16, high: i16) -> [[u8; m]; n] {
        // Edges grow once everywhere, then only beside what is new.
        let grown = grown(marked(ridges(slopes(smooth(grey))), low, high));
        // With a frame of no edge, so that each pixel has eight beside it.
        let (tall, wide) = (n + 2, m + 2);
        let framed = generate((tall, wide), |i, j| {
            if i == 0 || i > n || j == 0 || j > m { NONE } else { grown[i - 1][j - 1] }
        });
        let mut marks = framed.flatten();
        let mut new = (0..tall * wide).filter(|at| marks[at] == NEW);
        let around = [0, 1, 2, wide, wide + 2, 2 * wide, 2 * wide + 1, 2 * wide + 2]
            .map(|by| by.wrapping_sub(wide + 1));
        while new.len() > 0 {
            let reached = around.flat_map(|by| {
                new.map(|at| at.wrapping_add(by)).filter(|at| marks[at] == MAYBE)
            });
            marks = marks.scatter(reached, fill(SURE, reached.len()));
            new = reached.unique();
        }
        let marks = marks.reshape((tall, wide));
        for row in marks[1..n + 1] { for mark in row[1..m + 1] { (mark >= SURE) as u8 } }
    }

    const NONE: u8 = 0;
    const MAYBE: u8 = 1;
    const SURE: u8 = 2;
    const NEW: u8 = 3;

    // What may be of an edge and is beside what is, is new.
    fn grown(marks: [[u8; m]; n]) -> [[u8; m]; n] {
        marks.stencil(fill(NONE), |at| {
            let beside = max(at(-1, -1), max(at(-1, 0), at(-1, 1)));
            let beside = max(beside, max(at(0, -1), at(0, 1)));
            let beside = max(beside, max(at(1, -1), max(at(1, 0), at(1, 1))));
            if at(0, 0) == MAYBE && beside == SURE { NEW } else { at(0, 0) }
        })
    }

    // By the weights 1, 4, 6, 4, 1 of 16, down and across.
    fn smooth(grey: [[u8; m]; n]) -> [[u8; m]; n] {
        let down = grey.stencil(mirror, |at| {
            let (beside, far) = (at(-1, 0) as u16 + at(1, 0) as u16, at(-2, 0) as u16 + at(2, 0) as u16);
            6 * at(0, 0) as u16 + 4 * beside + far
        });
        down.stencil(mirror, |at| {
            let (beside, far) = (at(0, -1) + at(0, 1), at(0, -2) + at(0, 2));
            ((6 * at(0, 0) + 4 * beside + far) / 256) as u8
        })
    }

    // How steep it is (Sobel), and in which of four directions: across, down or along a diagonal.
    fn slopes(grey: [[u8; m]; n]) -> [[(i16, u8); m]; n] {
        grey.stencil(clamp, |at| {
            let (above, below) = (2 * at(-1, 0) as i16, 2 * at(1, 0) as i16);
            let (left, right) = (2 * at(0, -1) as i16, 2 * at(0, 1) as i16);
            let (a, b) = (at(-1, -1) as i16, at(-1, 1) as i16);
            let (c, d) = (at(1, -1) as i16, at(1, 1) as i16);
            let (x, y) = (b + right + d - a - left - c, c + below + d - a - above - b);
            // The tangent of 22.5° is 0.414.
            let (wide, high) = (abs(x as i32), abs(y as i32));
            let direction = if 1000 * high < 414 * wide { 0 }
                else if 1000 * wide < 414 * high { 1 }
                else if (x > 0) == (y > 0) { 2 }
                else { 3 };
            (abs(x) + abs(y), direction)
        })
    }

    // The slope where it is steepest among its neighbours in its direction, elsewhere 0.
    fn ridges(slopes: [[(i16, u8); m]; n]) -> [[i16; m]; n] {
        slopes.stencil(fill((0, 0)), |at| {
            let (slope, direction) = at(0, 0);
            let (before, behind) = match direction {
                0 => (at(0, -1).0, at(0, 1).0),
                1 => (at(-1, 0).0, at(1, 0).0),
                2 => (at(-1, -1).0, at(1, 1).0),
                _ => (at(-1, 1).0, at(1, -1).0),
            };
            if slope > before && slope >= behind { slope } else { 0 }
        })
    }

    fn marked(ridges: [[i16; m]; n], low: i16, high: i16) -> [[u8; m]; n] {
        for row in ridges { for slope in row { if slope >= high { SURE } else if slope >= low { MAYBE } else { NONE } } }
    }
}
