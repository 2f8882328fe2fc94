// The design that is placed and routed to measure the clock: the accelerator between registers. Its
// bus would be connected on the same chip and not to pins, so the inputs come from a register that
// is loaded from a shift register, and the outputs are loaded into one that is shifted out.
//
// Ports    in, out: one bit of each per cycle     load: loads the inputs and the outputs
// Latency  a cycle for each bit
module ty_route #(
    parameter int FIELDS = 4,
    parameter int D      = 16
) (
    input  logic clk,
    input  logic rst,
    input  logic in,
    input  logic load,
    output logic out
);
  localparam int Inputs = 133, Outputs = 44;
  logic [Inputs-1:0] chain_q, in_q;
  logic [Outputs-1:0] given, given_q, out_q;
  logic rst_q, load_q;
  always_ff @(posedge clk) begin
    rst_q <= rst;
    load_q <= load;
    chain_q <= {chain_q[Inputs-2:0], in};
    if (load_q) in_q <= chain_q;
    given_q <= given;
    out_q <= load_q ? given_q : {1'b0, out_q[Outputs-1:1]};
  end
  assign out = out_q[0];

  logic awready, wready, bvalid, arready, rvalid, irq, random_take, key_refused;
  logic [1:0] bresp, rresp;
  logic [31:0] rdata;
  logic awvalid, wvalid, bready, arvalid, rready, random_valid, key_valid;
  logic [7:0] awaddr, araddr;
  logic [2:0] awprot, arprot;
  logic [31:0] wdata, random_data, key_data;
  logic [3:0] wstrb, key_index;
  assign given = {awready, wready, bvalid, bresp, arready, rvalid, rdata, rresp, irq, random_take,
      key_refused};
  assign {awvalid, awaddr, awprot, wvalid, wdata, wstrb, bready, arvalid, araddr, arprot, rready,
      random_valid, random_data,
          key_valid, key_index, key_data} = in_q;
  ty_accel #(
      .FIELDS(FIELDS), .D(D)
  ) accel (
      .clk(clk), .rst(rst_q), .s_axil_awvalid(awvalid), .s_axil_awready(awready),
      .s_axil_awaddr(awaddr), .s_axil_awprot(awprot), .s_axil_wvalid(wvalid),
      .s_axil_wready(wready), .s_axil_wdata(wdata), .s_axil_wstrb(wstrb), .s_axil_bvalid(bvalid),
      .s_axil_bready(bready), .s_axil_bresp(bresp), .s_axil_arvalid(arvalid),
      .s_axil_arready(arready), .s_axil_araddr(araddr), .s_axil_arprot(arprot),
      .s_axil_rvalid(rvalid), .s_axil_rready(rready), .s_axil_rdata(rdata), .s_axil_rresp(rresp),
      .irq(irq), .random_valid(random_valid), .random_take(random_take), .random_data(random_data),
      .key_valid(key_valid), .key_refused(key_refused), .key_index(key_index), .key_data(key_data)
  );
endmodule
