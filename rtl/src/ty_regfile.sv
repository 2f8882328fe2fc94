// Registers: 16 of the machine and, from address 16 on, 4 contexts of 4 in the curve memory.
//
// Ports    two for reading, one for writing. A value can be read from the cycle after its write on.
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
