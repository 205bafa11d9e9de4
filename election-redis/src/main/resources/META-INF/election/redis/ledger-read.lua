-- Tells what is written in the ledger, and changes nothing.
--
-- KEYS  1 ledger   (as in ledger-open.lua)
-- Returns  {name, value, name, value, ...}

local reply = {}
local fields = redis.call('HGETALL', KEYS[1])
for i = 1, #fields, 2 do
  if fields[i] ~= 'token' and fields[i] ~= 'store' and fields[i] ~= 'since' then
    reply[#reply + 1] = fields[i]
    reply[#reply + 1] = fields[i + 1]
  end
end
return reply
