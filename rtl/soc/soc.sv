// A small system for simulation: a PicoRV32, memory, a port for characters and the accelerator
// behind Wishbone.
//
// Ports    char_valid, char_data: what the firmware prints     trap: it has ended (ebreak)
//          random_*: the accelerator's random port
// Memory map  0x00000000 RAM, 1 MiB, filled from the file of +firmware=; 0x10000000 a character to
//          print; 0x40000000 the accelerator
module soc (
    input  logic        clk,
    input  logic        rst,
    output logic        trap,
    output logic        char_valid,
    output logic [7:0]  char_data,
    input  logic        random_valid,
    output logic        random_take,
    input  logic [31:0] random_data
);
  localparam int RamWords = 1 << 18;

  logic        mem_valid, mem_ready, ram_ready_q, is_ram, is_char, is_accel, ack, refused;
  logic [31:0] mem_addr, mem_wdata, mem_rdata, ram_data_q, accel_data;
  logic [3:0]  mem_wstrb;
  logic [31:0] ram[RamWords];
  string       path;
  initial if ($value$plusargs("firmware=%s", path)) $readmemh(path, ram);

  picorv32 #(
      .BARREL_SHIFTER(1), .COMPRESSED_ISA(1), .ENABLE_FAST_MUL(1), .ENABLE_DIV(1),
      .PROGADDR_RESET(0)
  ) cpu (
      .clk(clk), .resetn(!rst), .trap(trap), .mem_valid(mem_valid), .mem_instr(),
      .mem_ready(mem_ready),
      .mem_addr(mem_addr), .mem_wdata(mem_wdata), .mem_wstrb(mem_wstrb), .mem_rdata(mem_rdata),
      .mem_la_read(), .mem_la_write(), .mem_la_addr(), .mem_la_wdata(), .mem_la_wstrb(),
      .pcpi_valid(), .pcpi_insn(), .pcpi_rs1(), .pcpi_rs2(), .pcpi_wr(1'b0), .pcpi_rd('0),
      .pcpi_wait(1'b0),
      .pcpi_ready(1'b0), .irq('0), .eoi(), .trace_valid(), .trace_data()
  );

  assign is_ram = mem_addr[31:20] == 12'h000;
  assign is_char = mem_addr[31:28] == 4'h1;
  assign is_accel = mem_addr[31:28] == 4'h4;
  // A write that the accelerator refuses is complete, too: its register ERROR has the reason.
  assign mem_ready = is_ram ? ram_ready_q : is_accel ? ack || refused : 1'b1;
  assign mem_rdata = is_ram ? ram_data_q : is_accel ? accel_data : '0;
  assign char_valid = mem_valid && is_char && mem_wstrb[0];
  assign char_data = mem_wdata[7:0];
  always_ff @(posedge clk) begin
    ram_ready_q <= !rst && mem_valid && is_ram && !ram_ready_q;
    ram_data_q <= ram[mem_addr[19:2]];
    for (int i = 0; i < 4; i++)
      if (mem_valid && is_ram && !ram_ready_q && mem_wstrb[i])
        ram[mem_addr[19:2]][8*i+:8] <= mem_wdata[8*i+:8];
  end

  ty_accel_wb #(
      .FIELDS(4), .D(55), .BLIND(2)
  ) accel (
      .clk(clk), .rst(rst), .wb_cyc(mem_valid && is_accel), .wb_stb(mem_valid && is_accel),
      .wb_we(|mem_wstrb),
      .wb_adr(mem_addr[7:0]), .wb_sel(mem_wstrb), .wb_dat_w(mem_wdata), .wb_dat_r(accel_data),
      .wb_ack(ack),
      .wb_err(refused), .irq(), .random_valid(random_valid), .random_take(random_take),
      .random_data(random_data),
      .key_valid(1'b0), .key_refused(), .key_index('0), .key_data('0)
  );
endmodule
