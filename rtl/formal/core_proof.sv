// What is proved of ty_core, built for the toy field of 7 bits, whatever host and random source do:
// ok is 1 in every cycle after a reset.
//
// - While ty_core is busy the element reads as 0, and everything that the host writes is refused,
//   except ABORT.
// - There is no result after a run whose point or result is not on the curve, after an aborted run,
//   or after a write that changes the context or its curve. GET and ADD are refused where there is
//   no result. The first part of a sum does not change the result.
// - A wipe ends after 32 cycles at most.
// - An illegal state of either machine locks the core in the next cycle, and only a reset unlocks
//   it.
//
// The rest are invariants, without which induction over one step would have to consider states that
// never occur: the two state machines run together, and the words in the pipeline are those of the
// program, which starts with word 0.
module core_proof
  import ty_core_pkg::*, ty_word_pkg::*;
(
    input  logic        clk,
    input  logic        rst,
    input  logic        data_we, key_we, key_manager, context_we, config_we, cmd_valid,
    input  logic        random_valid,
    input  logic [3:0]  write_index,
    input  logic [2:0]  read_index,
    input  logic [31:0] word_data, random_data,
    input  logic [1:0]  context_in,
    input  config_t     config_in,
    input  logic [3:0]  cmd, slot,
    output logic        alone,    // at most one write or command in a cycle, as bus_proof.sv proves
    output logic        ok
);
  logic busy, ready, done, result_valid, infinite, random_ready, locked, error_set, slow,
      random_take;
  logic [31:0] data_word, cycles;
  logic [1:0] context_now;
  config_t config_now;
  err_t error;
  ty_core #(.FIELDS(64), .D(7)) core (.*);

  localparam logic [3:0] WipeAll = 4'b0000, Ready = 4'b0011, Run = 4'b0101, Wipe = 4'b0110,
      Locked = 4'b1001;
  localparam logic [2:0] SeqIdle = 3'b000, SeqRun = 3'b011, SeqLocked = 3'b101;
  logic [3:0] state;
  logic [2:0] seq;
  assign state = core.state_q;
  assign seq = core.sequencer.state_q;

  logic gave_up;                    // the last run or wipe was aborted
  logic changed;                    // context or curve, since the last run began
  logic up, was_busy, was_illegal, was_locked, was_bad_end, was_aborted, was_first;
  logic first;                      // the word that is executed is in the first part of a sum
  logic [6:0] was_x, was_y;         // the registers of the result
  logic [5:0] wiping;
  initial up = 1'b0;
  always_ff @(posedge clk) begin
    up <= up || rst;
    was_busy <= busy && !rst;
    gave_up <= !rst && ((gave_up && !core.start) || (busy && cmd_valid && cmd == CMD_ABORT));
    was_illegal <= !rst && ((state != WipeAll && state != Ready && state != Run && state != Wipe &&
        state != Locked)
        || (seq != SeqIdle && seq != SeqRun));
    was_locked <= locked && !rst;
    was_bad_end <= !rst && done && (error == ERR_POINT || error == ERR_FAULT);
    changed <= !rst && !core.start && (changed || (!busy && (context_we || config_we ||
        (cmd_valid && cmd == CMD_PUT && slot[2] && !error_set))));
    if (core.moves) first <= core.first;
    was_first <= !rst && state == Run && first;
    was_x <= core.regfile.mem[14];
    was_y <= core.regfile.mem[15];
    was_aborted <= !rst && cmd_valid && cmd == CMD_ABORT;
    wiping <= !rst && (state == Wipe || state == WipeAll) ? wiping + 6'd1 : 6'd0;
  end

  assign alone = $countones({data_we, key_we, context_we, config_we, cmd_valid}) <= 1;

  // The properties.
  logic hidden, refused, honest, ends, locks;
  assign hidden = !busy || data_word == '0 || (locked && !was_locked);
  assign refused = !busy || error_set
      || !(data_we || key_we || context_we || config_we || (cmd_valid && cmd != CMD_ABORT));
  assign honest = (!was_bad_end || !result_valid)
      && (busy || !result_valid || !(core.offcurve_q || core.fault_q))
      && (!was_aborted || !was_busy || busy || was_locked || !result_valid)
      && (!gave_up || locked || (state != Run && !core.keep_q && !core.ended_q &&
          (busy || !result_valid)))
      && (!changed || !result_valid)
      && (!was_first || (core.regfile.mem[14] == was_x && core.regfile.mem[15] == was_y))
      && (result_valid || !(cmd_valid && (cmd == CMD_GET || cmd == CMD_ADD)) || error_set);
  assign ends = wiping <= 6'd32;
  assign locks = (!was_illegal || locked) && (!was_locked || locked);

  // Invariants.
  logic [WORD_BITS-1:0] rom, rom_next;
  word_t there, then;
  logic [ADDRESS_BITS-1:0] at, pc;   // of the word that is executed, and of the next
  logic together, word_good, next_good, begins, clean, counted;
  always_ff @(posedge clk) if (core.sequencer.advance) at <= pc;
  assign pc = core.sequencer.pc_q;
  ty_ucode #(.C(1), .GENERIC(0)) ucode (.addr(at), .word(rom));
  ty_ucode #(.C(1), .GENERIC(0)) ucode_next (.addr(pc), .word(rom_next));
  assign there = rom;
  assign then = rom_next;
  assign together = (state == Run) ? seq == SeqRun || seq == SeqLocked :
      seq == SeqIdle || (seq == SeqLocked && state == Locked);
  assign word_good = state != Run || (core.sequencer.units_q == there.units &&
      core.sequencer.hold_q == there.hold
      && (core.sequencer.delay_q == '0
          || (there.delay != '0 && core.sequencer.delay_q >= there.delay))
      && core.sequencer.last_q == (there.ctl == CTL_END && !first)
      && core.writes_q == (there.units.w != W_NONE && !(first && &there.units.wa[3:1])));
  assign next_good = core.sequencer.next_q == pc + 1'b1 &&
      core.sequencer.branch_q.target == then.target
      && core.sequencer.branch_q.ctl == then.ctl && core.sequencer.branch_q.expo == then.expo;
  assign begins = (state != Run || next_good) && (state != Ready || (pc == '0 && next_good))
      && ((state != Wipe && state != WipeAll) || core.wipe_q == '0
          || (pc == '0 && next_good));
  assign clean = (state == Ready || (!core.data_shown_q && (core.data_q == '0 || core.start_q ||
      (!was_busy && state == Wipe)))
          || (locked && !was_locked))
      && (state != Run || (!core.result_valid && !core.ended_q && !core.keep_q))
      && (state != Wipe || core.wipe_q != '0 || !core.keep_q)
      && (!core.ended_q || (state == Wipe && core.wipe_q == '0 && !core.keep_q) || state == Locked)
      && (!core.start_q || state == Run || state == Locked || state == Wipe)
      && (!core.get_q || state == Ready || state == Locked)
      && (core.test_q == T_NONE || state == Run || (state == Wipe && core.wipe_q == '0) ||
          state == Locked)
      && (state != WipeAll || (!core.result_valid && !core.keep_q))
      && (state != Wipe || !core.keep_q || !(core.offcurve_q || core.fault_q || changed))
      && (!core.ended_q || !changed)
      && (state != Run || (!changed && core.run_q && !core.wiping_q && !core.put_q &&
          !core.element_goes_q))
      && (state != Ready || !core.result_valid || !(core.offcurve_q || core.fault_q));
  assign counted = (state == Wipe || state == WipeAll ? wiping == {1'b0, core.wipe_q} :
      core.wipe_q == '0 || locked || was_locked || !was_busy || state == Ready)
      && (state != Wipe || core.wipe_q <= (core.keep_q ? 5'd13 : 5'd15));
  assign ok = !up || (hidden && refused && honest && ends && locks && together && word_good &&
      begins && clean && counted);
endmodule
