; The MMC3 on a board with RAM for four nametables.
; https://www.nesdev.org/wiki/MMC3

.define CARD_NAME "MMC3 FOUR SCREENS"
MAPPER = 4
SUBMAPPER = 0
MIRRORING = 8
PRG_KIB = 64
CHR_KIB = 32
PRG_WINDOW_KIB = 8
HOME_BANK = 0                   ; the last two pages are always there
ALL_BANKS_BOOT = 0
NEC = 0
MMC6 = 0

.include "mmc3_card.inc"
