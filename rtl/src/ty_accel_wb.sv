// The accelerator behind Wishbone B4, classic cycles: ty_accel with another host interface.
//
// Ports    wb_*: 32-bit words, 8-bit byte addresses; all bits of sel have to be set for writes
//          the rest as in ty_accel
// Latency  ack or err four cycles after stb for a write, one for a read     Throughput: a write in
//          5 cycles, a read in 2
// err where ty_accel answers SLVERR. A cycle that the host abandons is completed internally and not
// acknowledged.
module ty_accel_wb #(
    parameter int FIELDS            = 4,
    parameter int D                 = 55,
    parameter int SQUARINGS         = 1,
    parameter int MULTIPLIERS       = 1,
    parameter int GENERIC           = 0,
    parameter int GENERIC_SQUARER   = 0,
    parameter int DIVIDER           = 0,
    parameter int BLIND             = 0,
    parameter bit RANDOMISE         = 1,
    parameter bit CHECK_POINT       = 1,
    parameter bit SELECT_BY_ADDRESS = 0,
    parameter bit SELF_TEST         = 1
) (
    input  logic        clk,
    input  logic        rst,
    input  logic        wb_cyc,
    input  logic        wb_stb,
    input  logic        wb_we,
    input  logic [7:0]  wb_adr,
    input  logic [3:0]  wb_sel,
    input  logic [31:0] wb_dat_w,
    output logic [31:0] wb_dat_r,
    output logic        wb_ack,
    output logic        wb_err,
    output logic        irq,
    input  logic        random_valid,
    output logic        random_take,
    input  logic [31:0] random_data,
    input  logic        key_valid,
    output logic        key_refused,
    input  logic [3:0]  key_index,
    input  logic [31:0] key_data
);
  logic request, taken, answer, waiting_q;
  logic awvalid, awready, wready, bvalid, arvalid, arready, rvalid;
  logic [1:0] bresp, rresp;

  // A request goes to the bus once, and is answered while the host still asks for it.
  assign request = wb_cyc && wb_stb && !waiting_q;
  assign awvalid = request && wb_we;
  assign arvalid = request && !wb_we;
  assign taken = (awvalid && awready && wready) || (arvalid && arready);
  assign answer = waiting_q && (bvalid || rvalid);
  assign wb_ack = answer && wb_cyc && wb_stb && !(bvalid ? bresp[1] : rresp[1]);
  assign wb_err = answer && wb_cyc && wb_stb && (bvalid ? bresp[1] : rresp[1]);
  always_ff @(posedge clk) begin
    if (rst) waiting_q <= 1'b0;
    else waiting_q <= taken || (waiting_q && !answer);
  end

  ty_accel #(
      .FIELDS(FIELDS), .D(D), .SQUARINGS(SQUARINGS), .MULTIPLIERS(MULTIPLIERS), .GENERIC(GENERIC),
      .GENERIC_SQUARER(GENERIC_SQUARER), .DIVIDER(DIVIDER), .BLIND(BLIND), .RANDOMISE(RANDOMISE),
      .CHECK_POINT(CHECK_POINT), .SELECT_BY_ADDRESS(SELECT_BY_ADDRESS), .SELF_TEST(SELF_TEST)
  ) accel (
      .clk(clk), .rst(rst), .s_axil_awvalid(awvalid), .s_axil_awready(awready),
      .s_axil_awaddr(wb_adr), .s_axil_awprot(3'd0), .s_axil_wvalid(awvalid), .s_axil_wready(wready),
      .s_axil_wdata(wb_dat_w), .s_axil_wstrb(wb_sel), .s_axil_bvalid(bvalid), .s_axil_bready(1'b1),
      .s_axil_bresp(bresp), .s_axil_arvalid(arvalid), .s_axil_arready(arready),
      .s_axil_araddr(wb_adr), .s_axil_arprot(3'd0), .s_axil_rvalid(rvalid), .s_axil_rready(1'b1),
      .s_axil_rdata(wb_dat_r), .s_axil_rresp(rresp), .irq(irq), .random_valid(random_valid),
      .random_take(random_take), .random_data(random_data), .key_valid(key_valid),
      .key_refused(key_refused), .key_index(key_index), .key_data(key_data)
  );
  logic unused;
  assign unused = bresp[0] ^ rresp[0];
endmodule
