pub mod ir;
pub mod recognise;
