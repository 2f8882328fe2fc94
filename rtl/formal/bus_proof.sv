// What is proved of ty_axil, whatever host and core do: ok is 1 in every cycle after a reset.
//
// - If the host is ready for the responses, a write is accepted in the fifth cycle at the latest,
//   and a read in the second.
// - A write is answered once, four cycles after it was accepted, a read in the cycle after; the
//   answer stays until it is taken.
// - The answer is SLVERR where the core refuses the write or part of a word is written.
// - At most one write or command reaches the core in a cycle.
// - A word of the element is read at the addresses of DATA, and nowhere else: two buses that differ
//   in that word alone cannot be told apart by other transfers.
module bus_proof
  import ty_core_pkg::*;
(
    input  logic        clk,
    input  logic        rst,
    input  logic        awvalid, wvalid, bready, arvalid, rready,
    input  logic [7:0]  awaddr, araddr,
    input  logic [31:0] wdata,
    input  logic [3:0]  wstrb,
    input  logic [31:0] word1, word2, cycles,
    input  logic [1:0]  context_now,
    input  config_t     config_now,
    input  logic        busy, ready, done, result_valid, infinite, random_ready, locked, slow,
        error_set,
    input  err_t        error,
    output logic        ok
);
  logic [1:0] taken, awready, wready, bvalid, arready, rvalid, irq, data_we, scalar_we, context_we,
      config_we, cmd_valid;
  logic [1:0] bresp[2], rresp[2], context_in[2];
  logic [3:0] write_index[2];
  logic [2:0] read_index[2];
  logic [31:0] rdata[2], word_data[2], words[2];
  logic [3:0] cmd[2], slot[2];
  config_t config_in[2];
  assign words[0] = word1;
  assign words[1] = word2;
  for (genvar i = 0; i < 2; i++) begin : g_bus
    ty_axil bus (
        .clk(clk), .rst(rst), .awvalid(awvalid), .awready(awready[i]), .awaddr(awaddr),
        .wvalid(wvalid), .wready(wready[i]), .wdata(wdata), .wstrb(wstrb), .bvalid(bvalid[i]),
        .bready(bready), .bresp(bresp[i]), .arvalid(arvalid), .arready(arready[i]), .araddr(araddr),
        .rvalid(rvalid[i]), .rready(rready), .rdata(rdata[i]), .rresp(rresp[i]), .irq(irq[i]),
        .taken(taken[i]), .data_we(data_we[i]), .scalar_we(scalar_we[i]),
        .write_index(write_index[i]), .read_index(read_index[i]), .word_data(word_data[i]),
        .data_word(words[i]), .context_we(context_we[i]), .context_in(context_in[i]),
        .context_now(context_now), .config_we(config_we[i]), .config_in(config_in[i]),
        .config_now(config_now), .cmd_valid(cmd_valid[i]), .cmd(cmd[i]), .slot(slot[i]),
        .busy(busy), .ready(ready), .done(done), .result_valid(result_valid), .infinite(infinite),
        .random_ready(random_ready), .locked(locked), .slow(slow), .error_set(error_set),
        .error(error), .cycles(cycles)
    );
  end

  // The signals of the cycle before; element: the pending answer is a word of the element.
  logic [2:0] write_waits;
  logic [1:0] read_waits;
  logic up, accepted, at_core, judged, partial, partial_at_core, partial_judged, wrote, refused,
      was_read, owes_write, owes_read, element, was_element;
  logic [1:0] last_bresp, last_rresp;
  logic [31:0] last_rdata, last_word;
  initial up = 1'b0;
  assign was_element = araddr[7:5] == REG_DATA[7:5];
  always_ff @(posedge clk) begin
    up <= up || rst;
    write_waits <= !rst && awvalid && wvalid && bready && !awready[0] ? write_waits + 3'd1 : 3'd0;
    read_waits <= !rst && arvalid && rready && !arready[0] ? read_waits + 2'd1 : 2'd0;
    accepted <= !rst && awvalid && awready[0];
    at_core <= !rst && accepted;
    judged <= !rst && at_core;
    partial <= wstrb != 4'hf;
    partial_at_core <= partial;
    partial_judged <= partial_at_core;
    wrote <= !rst && judged;
    refused <= error_set || partial_judged;
    was_read <= !rst && arvalid && arready[0];
    owes_write <= !rst && (judged || (owes_write && !bready));
    owes_read <= !rst && ((arvalid && arready[0]) || (owes_read && !rready));
    if (arvalid && arready[0]) element <= was_element;
    last_word <= word1;
    last_bresp <= bresp[0];
    last_rresp <= rresp[0];
    last_rdata <= rdata[0];
  end

  logic live, answers, alone, same;
  assign live = write_waits < 3'd5 && read_waits < 2'd2 && awready[0] == wready[0] &&
      (!awready[0] || (awvalid && wvalid));
  assign answers = g_bus[0].bus.written_q == accepted && g_bus[0].bus.at_core_q == at_core &&
      g_bus[0].bus.judged_q == judged
      && taken[0] == (accepted || at_core || (awvalid && awready[0]))
      && bvalid[0] == owes_write && rvalid[0] == owes_read && (!wrote || !refused ||
          bresp[0] == 2'b10)
      && (!owes_write || wrote || bresp[0] == last_bresp)
      && (!owes_read || was_read || (rdata[0] == last_rdata && rresp[0] == last_rresp))
      && (!was_read || !element || (rdata[0] == last_word && rresp[0] == 2'b00));
  assign alone = $countones({data_we[0], scalar_we[0], context_we[0], config_we[0],
      cmd_valid[0]}) <= 1;
  assign same = awready[0] == awready[1] && wready[0] == wready[1] && bvalid[0] == bvalid[1] &&
      arready[0] == arready[1]
      && rvalid[0] == rvalid[1] && irq[0] == irq[1] && bresp[0] == bresp[1] && rresp[0] == rresp[1]
      && data_we[0] == data_we[1] && scalar_we[0] == scalar_we[1] && cmd_valid[0] == cmd_valid[1]
      && (!owes_read || element || rdata[0] == rdata[1])
      && g_bus[0].bus.written_q == g_bus[1].bus.written_q &&
          g_bus[0].bus.judged_q == g_bus[1].bus.judged_q
      && g_bus[0].bus.at_core_q == g_bus[1].bus.at_core_q &&
          g_bus[0].bus.known_at_core_q == g_bus[1].bus.known_at_core_q
      && g_bus[0].bus.starts_at_core_q == g_bus[1].bus.starts_at_core_q
      && g_bus[0].bus.known_q == g_bus[1].bus.known_q &&
          g_bus[0].bus.starts_q == g_bus[1].bus.starts_q
      && g_bus[0].bus.data_q == g_bus[1].bus.data_q
      && g_bus[0].bus.error_clear == g_bus[1].bus.error_clear &&
          g_bus[0].bus.irq_we == g_bus[1].bus.irq_we
      && context_we[0] == context_we[1] && config_we[0] == config_we[1]
      && g_bus[0].bus.error_q == g_bus[1].bus.error_q &&
          g_bus[0].bus.enable_q == g_bus[1].bus.enable_q
      && g_bus[0].bus.pending_q == g_bus[1].bus.pending_q;
  assign ok = !up || (live && answers && alone && same);
endmodule
