// AXI4-Lite slave in front of ty_core: the register map of rtl/regs/registers.py.
//
// Ports    the five channels; 32-bit words, 8-bit byte addresses; write strobes have to be whole
// Latency  a write is answered in the cycle after both its address and data are there, a read one
//          cycle after its address     Throughput: a transfer in 2 cycles of each kind
// Every transfer is answered, whatever the core does: SLVERR where there is no such register, where
// strobes are not whole, and where the core refuses a write; ERROR then says why.
module ty_axil
  import ty_core_pkg::*;
#(
    parameter logic [31:0] PARAMETERS = '0,
    parameter logic [31:0] OPTIONS    = '0
) (
    input  logic        clk,
    input  logic        rst,
    input  logic        awvalid,
    output logic        awready,
    input  logic [7:0]  awaddr,
    input  logic        wvalid,
    output logic        wready,
    input  logic [31:0] wdata,
    input  logic [3:0]  wstrb,
    output logic        bvalid,
    input  logic        bready,
    output logic [1:0]  bresp,
    input  logic        arvalid,
    output logic        arready,
    input  logic [7:0]  araddr,
    output logic        rvalid,
    input  logic        rready,
    output logic [31:0] rdata,
    output logic [1:0]  rresp,
    output logic        irq,
    // the core
    output logic        data_we,
    output logic        scalar_we,
    output logic [2:0]  write_index,
    output logic [2:0]  read_index,
    output logic [31:0] word_data,
    input  logic [31:0] data_word,
    output logic        context_we,
    output logic [1:0]  context_in,
    input  logic [1:0]  context_now,
    output logic        config_we,
    output config_t     config_in,
    input  config_t     config_now,
    output logic        cmd_valid,
    output logic [3:0]  cmd,
    output logic [3:0]  slot,
    input  logic        busy,
    input  logic        ready,
    input  logic        done,
    input  logic        result_valid,
    input  logic        infinite,
    input  logic        random_ready,
    input  logic        locked,
    input  logic        slow,
    input  logic        error_set,
    input  err_t        error,
    input  logic [31:0] cycles
);
  localparam logic [1:0] Okay = 2'b00;
  localparam logic [1:0] SlaveError = 2'b10;

  // --- Writes ------------------------------------------------------------------------------------
  logic write, whole, write_known, error_clear, irq_we;
  logic [7:0] waddr;
  err_t error_q;
  logic enable_q, pending_q;
  assign write = awvalid && wvalid && !bvalid;
  assign awready = write;
  assign wready = write;
  assign waddr = {awaddr[7:2], 2'b00};
  assign write_index = awaddr[4:2];
  assign word_data = wdata;
  assign context_in = wdata[1:0];
  assign config_in = {wdata[23:8], wdata[3:0]};
  assign cmd = wdata[3:0];
  assign slot = wdata[11:8];

  assign whole = write && wstrb == 4'hf;
  assign data_we = whole && waddr[7:5] == REG_DATA[7:5];
  assign scalar_we = whole && waddr[7:5] == REG_SCALAR[7:5];
  assign error_clear = whole && waddr == REG_ERROR;
  assign irq_we = whole && waddr == REG_INTERRUPT;
  assign context_we = whole && waddr == REG_CONTEXT;
  assign config_we = whole && waddr == REG_CONFIG;
  assign cmd_valid = whole && waddr == REG_COMMAND;
  assign write_known = data_we || scalar_we || error_clear || irq_we || context_we || config_we || cmd_valid;

  // --- Reads -------------------------------------------------------------------------------------
  logic read, read_known;
  logic [7:0] raddr;
  logic [31:0] read_data;
  assign read = arvalid && !rvalid;
  assign arready = read;
  assign raddr = {araddr[7:2], 2'b00};
  assign read_index = araddr[4:2];
  always_comb begin
    read_known = 1'b1;
    read_data = '0;
    if (raddr[7:5] == REG_DATA[7:5]) read_data = data_word;
    else
      case (raddr)
        REG_IDENT:      read_data = IDENT;
        REG_VERSION:    read_data = VERSION;
        REG_PARAMETERS: read_data = PARAMETERS;
        REG_OPTIONS:    read_data = OPTIONS;
        REG_STATUS:     read_data = {25'd0, slow, locked, random_ready, infinite, result_valid, ready, busy};
        REG_ERROR:      read_data = {28'd0, error_q};
        REG_CYCLES:     read_data = cycles;
        REG_INTERRUPT:  read_data = {30'd0, pending_q, enable_q};
        REG_CONTEXT:    read_data = {30'd0, context_now};
        REG_CONFIG:     read_data = {8'd0, config_now.degree, config_now.steps, 4'd0, config_now.generic, config_now.field};
        default:        read_known = 1'b0;
      endcase
  end
  assign irq = enable_q && pending_q;

  always_ff @(posedge clk) begin
    if (rst) begin
      bvalid <= 1'b0;
      bresp <= Okay;
      rvalid <= 1'b0;
      rresp <= Okay;
      rdata <= '0;
      error_q <= ERR_NONE;
      enable_q <= 1'b0;
      pending_q <= 1'b0;
    end else begin
      if (write) begin
        bvalid <= 1'b1;
        bresp <= write_known && !error_set ? Okay : SlaveError;
      end else if (bready) bvalid <= 1'b0;
      if (read) begin
        rvalid <= 1'b1;
        rresp <= read_known ? Okay : SlaveError;
        rdata <= read_data;
      end else if (rready) rvalid <= 1'b0;

      if (error_set) error_q <= error;
      else if (write && !write_known) error_q <= ERR_ADDRESS;
      else if (error_clear || (cmd_valid && cmd == CMD_START)) error_q <= ERR_NONE;
      if (irq_we) begin
        enable_q <= wdata[0];
        if (wdata[1]) pending_q <= 1'b0;
      end
      if (done) pending_q <= 1'b1;
    end
  end
  logic unused;
  assign unused = ^{awaddr[1:0], araddr[1:0]};
endmodule
