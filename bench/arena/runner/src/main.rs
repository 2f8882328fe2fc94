//! The arena: Tongyu and its peers, measured against each other in one run, in cycles. See
//! docs/arena.md.

mod check;
mod clock;
mod compare;
mod curves;
mod families;
mod integers;
mod measure;
mod page;
mod peers;
mod results;
mod table;
mod two;
mod wiki;

use anyhow::{bail, Context, Result};
use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Tongyu and its peers, measured against each other in one run.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Measure families and put their rows into the results
    Run {
        /// sm2, sm3, sm4, mldsa, ec2m, mp, wiki
        #[arg(required = true)]
        families: Vec<String>,
        /// The folder of peer libraries
        #[arg(long, default_value = "build/arena/peers")]
        peers: PathBuf,
        /// About how long to measure one family
        #[arg(long, default_value_t = 75)]
        seconds: u64,
        /// Only these operations
        #[arg(long, value_delimiter = ',')]
        ops: Vec<String>,
        /// Only these libraries
        #[arg(long, value_delimiter = ',')]
        libs: Vec<String>,
        #[command(flatten)]
        files: Files,
    },
    /// Measure two builds of Tongyu against each other, and fail if the new one is slower
    Two {
        /// The families; all of them if none is named
        families: Vec<String>,
        /// The old build, a libtongyu.so
        #[arg(long)]
        old: PathBuf,
        /// The new build
        #[arg(long)]
        new: PathBuf,
        /// The peer, which loads each of them
        #[arg(long, default_value = "build/arena/peers/libarena_tongyu.so")]
        peer: PathBuf,
        /// The folder for copies of them
        #[arg(long, default_value = "build/arena/two")]
        room: PathBuf,
        /// How often everything is measured; medians over the runs are shown
        #[arg(long, default_value_t = 10)]
        runs: usize,
        /// About how long one family takes in one run
        #[arg(long, default_value_t = 10)]
        seconds: u64,
        /// Only these operations
        #[arg(long, value_delimiter = ',')]
        ops: Vec<String>,
    },
    /// Draw the page from results that exist
    Page {
        #[command(flatten)]
        files: Files,
    },
    /// Print the table from results that exist
    Table {
        #[command(flatten)]
        files: Files,
    },
    /// Print the table of gmsm's wiki, next to our figures, from results that exist
    Wiki {
        #[command(flatten)]
        files: Files,
    },
}

#[derive(clap::Args)]
struct Files {
    /// The results
    #[arg(long, default_value = "build/arena.json")]
    json: PathBuf,
    /// The page
    #[arg(long, default_value = "build/arena.html")]
    html: PathBuf,
}

fn main() -> ExitCode {
    match execute(Arguments::parse().what) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("arena: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn execute(what: What) -> Result<()> {
    match what {
        What::Page { files } => page::write(&files.html, &results::load(&files.json)?),
        What::Table { files } => {
            let rows = results::load(&files.json)?;
            families::ALL.iter().for_each(|f| table::print(f, &rows));
            Ok(())
        }
        What::Wiki { files } => {
            wiki::print(&results::load(&files.json)?, &clock::Clock::start()?);
            Ok(())
        }
        What::Run { families: names, peers, seconds, ops, libs, files } => {
            run(&chosen(&names)?, &peers, seconds, &ops, &libs, &files)
        }
        What::Two { families, old, new, peer, room, runs, seconds, ops } => {
            let families = if families.is_empty() {
                families::ALL.iter().collect()
            } else {
                chosen(&families)?
            };
            let (old, new, peer, room) = (&old, &new, &peer, &room);
            let (families, ops) = (&families, &ops);
            two::run(&two::Question { old, new, peer, room, families, ops, runs, seconds })
        }
    }
}

fn chosen(names: &[String]) -> Result<Vec<&'static families::Family>> {
    let all = || families::ALL.iter().chain([&families::WIKI]);
    let known = || all().map(|f| f.name).collect::<Vec<_>>().join(", ");
    let one = |name: &String| {
        families::find(name).with_context(|| format!("no family {name}; there are {}", known()))
    };
    names.iter().map(one).collect()
}

fn run(
    families: &[&'static families::Family], folder: &std::path::Path, seconds: u64, ops: &[String],
    libs: &[String], files: &Files,
) -> Result<()> {
    let peers = peers::load_all(folder, libs)?;
    if peers.is_empty() {
        bail!("no peer could be loaded from {}", folder.display());
    }
    // Only now, so that threads which a library has started are not bound to our CPU.
    let clock = clock::Clock::start()?;
    let mut faults = vec![];
    let mut silent: Vec<String> = peers.iter().map(|p| p.name.clone()).collect();
    for family in families {
        let done = measure::family(family, &peers, ops, &clock, Duration::from_secs(seconds));
        silent.retain(|name| !done.rows.iter().any(|r| r.lib == *name));
        results::merge_into(&files.json, family.name, ops, done.rows)?;
        let rows = results::load(&files.json)?;
        page::write(&files.html, &rows)?;
        if family.name == families::WIKI.name {
            wiki::print(&rows, &clock)
        } else {
            table::print(family, &rows)
        }
        measure::report(&done.noise);
        faults.extend(done.faults);
    }
    println!("{} and {}", files.json.display(), files.html.display());
    for name in &silent {
        eprintln!(
            "arena: no results for {name}: it has none of these operations, or its library is \
                   missing"
        );
    }
    for fault in &faults {
        eprintln!("WRONG: {fault}");
    }
    if faults.iter().any(|f| f.lib == results::OURS) {
        bail!("Tongyu disagrees with its peers");
    }
    Ok(())
}
