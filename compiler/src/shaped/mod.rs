pub mod ir;
pub mod size;
