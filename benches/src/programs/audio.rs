//! What a processor of audio finds in windows of a signal, as one would first write it.

ragged::accel! {
    /// Of each window, where it begins and how long it is: how alike it is to itself some samples later,
    /// for each number of these below `lags`, and how often it passes through zero.
    pub fn windows(signal: [f64], places: [(usize, usize); n], lags: usize) -> ([[f64; lags]; n], [usize; n]) {
        places.map(|(start, len)| {
            let window = signal[start..start + len];
            let alike = for lag in 0..lags {
                (lag..len).map(|i| window[i] * window[i - lag]).sum()
            };
            (alike, window.pairwise(|a, b| (a < 0.0) != (b < 0.0)).count())
        }).unzip()
    }
}
