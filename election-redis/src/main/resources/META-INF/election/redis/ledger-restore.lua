-- Puts back what the server may have lost of the ledger. Stands behind server.lua and a function write(), which is ledger-write.lua.
--
-- KEYS  1 ledger   (as in ledger-open.lua)
-- ARGV  as in ledger-write.lua, then from when on the leader knows all that was written (ms)
-- Returns  as ledger-write.lua

local intact_since = table.remove(ARGV)
local reply = write()
-- What the server has lost since the leader opened the ledger is missing again.
local incarnation = read_incarnation()
if reply[1] == 'written'
  and redis.call('HGET', KEYS[1], 'token') == ARGV[1]
  and incarnation and incarnation == redis.call('HGET', KEYS[1], 'store')
then
  redis.call('HSET', KEYS[1], 'since', intact_since)
end
return reply
