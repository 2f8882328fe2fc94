// Register file: addresses 0 to 15 are the microprogram's registers, 16 to 31 the curve memory,
// four values for each of four contexts.
//
// Ports    two for reading, one for writing. A value that is written can be read in the next cycle.
// Latency  none for reading     There is no reset: the core writes zeros.
module ty_regfile #(
    parameter int N = 163
) (
    input  logic         clk,
    input  logic         we,
    input  logic [4:0]   waddr,
    input  logic [N-1:0] wdata,
    input  logic [4:0]   raddr_a,
    input  logic [4:0]   raddr_b,
    output logic [N-1:0] rdata_a,
    output logic [N-1:0] rdata_b
);
  logic [N-1:0] mem[32];
  always_ff @(posedge clk) if (we) mem[waddr] <= wdata;
  assign rdata_a = mem[raddr_a];
  assign rdata_b = mem[raddr_b];
endmodule
