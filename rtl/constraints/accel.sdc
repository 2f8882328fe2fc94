# The clock and ports of ty_accel, for Vivado (as .xdc), Quartus, Gowin, Diamond and Radiant; for
# 100 MHz. All ports belong to one clock. The host and the random source are assumed to have
# registers at their ports and to leave half a period to the accelerator; rst is synchronous and has
# to be treated like any other input.
create_clock -name clk -period 10.0 [get_ports clk]
set_input_delay -clock clk 5.0 \
    [get_ports {rst s_axil_awvalid s_axil_awaddr* s_axil_awprot* s_axil_wvalid s_axil_wdata* \
                s_axil_wstrb* s_axil_bready s_axil_arvalid s_axil_araddr* s_axil_arprot* \
                s_axil_rready random_valid random_data* key_valid key_index* key_data*}]
set_output_delay -clock clk 5.0 \
    [get_ports {s_axil_*ready s_axil_bvalid s_axil_bresp* s_axil_rvalid s_axil_rdata* \
                s_axil_rresp* irq random_take key_refused}]
