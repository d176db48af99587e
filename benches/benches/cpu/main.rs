//! The tables of programs on the CPU: `cargo bench -p ragged-bench [-- [name] [--suite] [--quick] [--check] [--seconds=N]]`.
//!
//! Each row runs the program, its rival and the machine's limit in interleaved rounds. See the README for the columns.

mod dense;
mod flat;
mod graphs;
mod groups;
mod images;
mod inputs;
mod nested;
mod norms;
mod order;
mod regular;
mod rows;
mod streams;
mod suite;
mod table;

use std::process::ExitCode;
use table::Table;

fn main() -> ExitCode {
    let mut table = Table::from_arguments();
    if table.filter.is_empty() {
        table::print_limits();
    }
    if !table.suite {
        table::print_head();
        for &(name, program) in PROGRAMS {
            if name.contains(&table.filter) {
                table.name = name;
                program(&mut table);
            }
        }
    }
    if table.suite || table.filter.is_empty() {
        suite::run(&mut table);
    }
    if table.check && table.failed {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}

type Program = fn(&mut Table);

const PROGRAMS: &[(&str, Program)] = &[
    ("dot f32", flat::dot_f32),
    ("dot f64", flat::dot_f64),
    ("norm f32", norms::norm_f32),
    ("norm f64", norms::norm_f64),
    ("norms", norms::norms),
    ("norms of rows", norms::norms_of_rows),
    ("iota-square-sum", flat::iota),
    ("iota-square-sum fast", flat::iota_fast),
    ("scan f64", flat::scan_f64),
    ("scan f64 into", flat::scan_f64_into),
    ("scan f32", flat::scan_f32),
    ("scan f32 into", flat::scan_f32_into),
    ("scan i32", flat::scan_i32),
    ("scan i32 into", flat::scan_i32_into),
    ("black-scholes", flat::prices),
    ("black-scholes into", flat::prices_into),
    ("black-scholes apart", flat::prices_apart),
    ("black-scholes fast", flat::prices_fast),
    ("black-scholes fast into", flat::prices_fast_into),
    ("mandelbrot", flat::escape_times),
    ("nbody", dense::bodies),
    ("nbody fast", dense::bodies_fast),
    ("row sums", dense::row_sums),
    ("column sums", dense::column_sums),
    ("softmax", dense::softmax),
    ("softmax into", dense::softmax_into),
    ("row sums of a block", dense::row_sums_of_block),
    ("softmax of a block", dense::softmax_of_block),
    ("block times vector", dense::times_of_block),
    ("distances", dense::distances),
    ("distances into", dense::distances_into),
    ("jacobi", dense::jacobi),
    ("product f32", dense::product_f32),
    ("product f32 fast", dense::product_fast_f32),
    ("product f64", dense::product_f64),
    ("product f64 fast", dense::product_fast_f64),
    ("smvm dense", nested::dense),
    ("smvm banded", nested::banded),
    ("smvm power law", nested::power_law),
    ("smvm long rows", nested::long_rows),
    ("smvm dense, sprs", nested::dense_sprs),
    ("smvm banded, sprs", nested::banded_sprs),
    ("smvm power law, sprs", nested::power_law_sprs),
    ("smvm long rows, sprs", nested::long_rows_sprs),
    ("smvm 65 to 500", nested::medium_rows),
    ("smvm one huge row", nested::huge_row),
    ("filter 1 %", nested::filter_few),
    ("filter 50 %", nested::filter_half),
    ("filter 99 %", nested::filter_most),
    ("softmax of rows", rows::softmax),
    ("softmax of 65 to 500", rows::softmax_medium),
    ("top-1 of rows", rows::top_1),
    ("top-1 of 65 to 500", rows::top_1_medium),
    ("word in lines", rows::matches),
    ("breadth-first levels", graphs::levels),
    ("page rank", graphs::page_rank),
    ("canny edges", images::edges),
    ("canny up to marks", images::marks),
    ("fluid flow", images::flow),
    ("md5", streams::md5),
    ("audio windows", streams::audio),
    ("md5 streamed", streams::md5_streamed),
    ("audio windows streamed", streams::audio_streamed),
    ("softmax streamed", streams::softmax_streamed),
    ("sort i32, 4 M", order::sort_4),
    ("sort i32, 33 M", order::sort_33),
    #[cfg(feature = "rdst")]
    ("sort i32, 4 M, rdst", order::sort_4_rdst),
    #[cfg(feature = "rdst")]
    ("sort i32, 33 M, rdst", order::sort_33_rdst),
    ("sort i32, 4 M, rayon", order::sort_4_rayon),
    ("sort f32, 4 M", order::sort_floats),
    ("sort by key, 4 M", order::sort_by_key),
    ("argsort, 4 M", order::argsort),
    ("unique, 4 M", order::unique),
    ("kth smallest, 4 M", groups::kth_smallest),
    ("merge of 4 M and 4 M", groups::merge),
    ("group by key, 4 M", groups::group_by_key),
    ("sort rows, skewed", order::sort_rows),
    ("sort rows, one huge", order::sort_huge_row),
    ("rows by key, skewed", order::sort_rows_by_key),
    ("rows by key, one huge", order::sort_huge_row_by_key),
    ("kth of rows, skewed", groups::middle_of_rows),
    ("kth of rows, one huge", groups::middle_of_huge_row),
    ("search 1 M in 4 M", order::search),
    ("irregular sums, 512", regular::sums_wide),
    ("irregular sums, 16", regular::sums_narrow),
    ("irregular softmax, 512", regular::softmax_wide),
    ("irregular softmax, 16", regular::softmax_narrow),
    #[cfg(feature = "faer")]
    ("product f32 faer", dense::faer::product_f32),
    #[cfg(feature = "faer")]
    ("product f32 fast faer", dense::faer::product_fast_f32),
    #[cfg(feature = "faer")]
    ("product f64 faer", dense::faer::product_f64),
    #[cfg(feature = "faer")]
    ("product f64 fast faer", dense::faer::product_fast_f64),
    ("small affine", flat::small_affine),
    ("small affine into", flat::small_affine_into),
    ("small dot", flat::small_dot),
];
