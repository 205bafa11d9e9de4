-- Tells of each of several ledgers what ledger-write.lua would say to a change, and changes nothing.
--
-- KEYS  the ledgers   (as in ledger-open.lua)
-- ARGV  the token of the leader of each
-- Returns  {the present time (ms), then for each: 'written', 'forgotten' or 'superseded'}

local replies = {tostring(now)}
for i = 1, #KEYS do
  local last = tonumber(redis.call('HGET', KEYS[i], 'token') or '')
  replies[i + 1] = 'written'
  if not last or last < tonumber(ARGV[i]) then
    replies[i + 1] = 'forgotten'
  elseif last > tonumber(ARGV[i]) then
    replies[i + 1] = 'superseded'
  end
end
return replies
