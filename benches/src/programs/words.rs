//! The word of a dictionary that has a given MD5 digest, as one would first write it.

ragged::accel! {
    /// Where the word is whose digest is `wanted`, or how many words there are. Words have up to 15
    /// bytes, and after them what MD5 puts behind a message: one bit and zeros. `bits`: their lengths.
    pub fn find(words: [[u32; 4]; n], bits: [u32; n], wanted: (u32, u32, u32, u32)) -> usize {
        zip(words, bits).map(|(word, bits)| digest(word, bits)).position_or(n, |it| it == wanted)
    }

    // As in RFC 1321, of a message of one block.
    pub(crate) fn digest(w: [u32; 4], bits: u32) -> (u32, u32, u32, u32) {
        let x = [w[0], w[1], w[2], w[3], 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, bits, 0];
        let (a, b, c, d) = (0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476);
        let a = first(a, b, c, d, x[0], 7, 0xd76aa478);
        let d = first(d, a, b, c, x[1], 12, 0xe8c7b756);
        let c = first(c, d, a, b, x[2], 17, 0x242070db);
        let b = first(b, c, d, a, x[3], 22, 0xc1bdceee);
        let a = first(a, b, c, d, x[4], 7, 0xf57c0faf);
        let d = first(d, a, b, c, x[5], 12, 0x4787c62a);
        let c = first(c, d, a, b, x[6], 17, 0xa8304613);
        let b = first(b, c, d, a, x[7], 22, 0xfd469501);
        let a = first(a, b, c, d, x[8], 7, 0x698098d8);
        let d = first(d, a, b, c, x[9], 12, 0x8b44f7af);
        let c = first(c, d, a, b, x[10], 17, 0xffff5bb1);
        let b = first(b, c, d, a, x[11], 22, 0x895cd7be);
        let a = first(a, b, c, d, x[12], 7, 0x6b901122);
        let d = first(d, a, b, c, x[13], 12, 0xfd987193);
        let c = first(c, d, a, b, x[14], 17, 0xa679438e);
        let b = first(b, c, d, a, x[15], 22, 0x49b40821);
        let a = second(a, b, c, d, x[1], 5, 0xf61e2562);
        let d = second(d, a, b, c, x[6], 9, 0xc040b340);
        let c = second(c, d, a, b, x[11], 14, 0x265e5a51);
        let b = second(b, c, d, a, x[0], 20, 0xe9b6c7aa);
        let a = second(a, b, c, d, x[5], 5, 0xd62f105d);
        let d = second(d, a, b, c, x[10], 9, 0x02441453);
        let c = second(c, d, a, b, x[15], 14, 0xd8a1e681);
        let b = second(b, c, d, a, x[4], 20, 0xe7d3fbc8);
        let a = second(a, b, c, d, x[9], 5, 0x21e1cde6);
        let d = second(d, a, b, c, x[14], 9, 0xc33707d6);
        let c = second(c, d, a, b, x[3], 14, 0xf4d50d87);
        let b = second(b, c, d, a, x[8], 20, 0x455a14ed);
        let a = second(a, b, c, d, x[13], 5, 0xa9e3e905);
        let d = second(d, a, b, c, x[2], 9, 0xfcefa3f8);
        let c = second(c, d, a, b, x[7], 14, 0x676f02d9);
        let b = second(b, c, d, a, x[12], 20, 0x8d2a4c8a);
        let a = third(a, b, c, d, x[5], 4, 0xfffa3942);
        let d = third(d, a, b, c, x[8], 11, 0x8771f681);
        let c = third(c, d, a, b, x[11], 16, 0x6d9d6122);
        let b = third(b, c, d, a, x[14], 23, 0xfde5380c);
        let a = third(a, b, c, d, x[1], 4, 0xa4beea44);
        let d = third(d, a, b, c, x[4], 11, 0x4bdecfa9);
        let c = third(c, d, a, b, x[7], 16, 0xf6bb4b60);
        let b = third(b, c, d, a, x[10], 23, 0xbebfbc70);
        let a = third(a, b, c, d, x[13], 4, 0x289b7ec6);
        let d = third(d, a, b, c, x[0], 11, 0xeaa127fa);
        let c = third(c, d, a, b, x[3], 16, 0xd4ef3085);
        let b = third(b, c, d, a, x[6], 23, 0x04881d05);
        let a = third(a, b, c, d, x[9], 4, 0xd9d4d039);
        let d = third(d, a, b, c, x[12], 11, 0xe6db99e5);
        let c = third(c, d, a, b, x[15], 16, 0x1fa27cf8);
        let b = third(b, c, d, a, x[2], 23, 0xc4ac5665);
        let a = fourth(a, b, c, d, x[0], 6, 0xf4292244);
        let d = fourth(d, a, b, c, x[7], 10, 0x432aff97);
        let c = fourth(c, d, a, b, x[14], 15, 0xab9423a7);
        let b = fourth(b, c, d, a, x[5], 21, 0xfc93a039);
        let a = fourth(a, b, c, d, x[12], 6, 0x655b59c3);
        let d = fourth(d, a, b, c, x[3], 10, 0x8f0ccc92);
        let c = fourth(c, d, a, b, x[10], 15, 0xffeff47d);
        let b = fourth(b, c, d, a, x[1], 21, 0x85845dd1);
        let a = fourth(a, b, c, d, x[8], 6, 0x6fa87e4f);
        let d = fourth(d, a, b, c, x[15], 10, 0xfe2ce6e0);
        let c = fourth(c, d, a, b, x[6], 15, 0xa3014314);
        let b = fourth(b, c, d, a, x[13], 21, 0x4e0811a1);
        let a = fourth(a, b, c, d, x[4], 6, 0xf7537e82);
        let d = fourth(d, a, b, c, x[11], 10, 0xbd3af235);
        let c = fourth(c, d, a, b, x[2], 15, 0x2ad7d2bb);
        let b = fourth(b, c, d, a, x[9], 21, 0xeb86d391);
        (a + 0x67452301, b + 0xefcdab89, c + 0x98badcfe, d + 0x10325476)
    }

    fn first(a: u32, b: u32, c: u32, d: u32, x: u32, turn: u32, k: u32) -> u32 {
        b + (a + ((b & c) | (!b & d)) + x + k).rotate_left(turn)
    }

    fn second(a: u32, b: u32, c: u32, d: u32, x: u32, turn: u32, k: u32) -> u32 {
        b + (a + ((b & d) | (c & !d)) + x + k).rotate_left(turn)
    }

    fn third(a: u32, b: u32, c: u32, d: u32, x: u32, turn: u32, k: u32) -> u32 {
        b + (a + (b ^ c ^ d) + x + k).rotate_left(turn)
    }

    fn fourth(a: u32, b: u32, c: u32, d: u32, x: u32, turn: u32, k: u32) -> u32 {
        b + (a + (c ^ (b | !d)) + x + k).rotate_left(turn)
    }
}
