include!("build.inc");

fn main() {
    build(&[]);
}
