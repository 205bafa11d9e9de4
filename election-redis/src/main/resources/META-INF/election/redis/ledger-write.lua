-- Changes entries of the ledger that this leader has opened.
--
-- KEYS  1 ledger   (as in ledger-open.lua)
-- ARGV  1 token  2 until when the change may be made (ms), empty for at any time  3 how many names to remove  4 how many entries to stamp
--       5... the names to remove, the names of entries that tell when the change was made, then the names and values to put
-- Returns  {'written', the present time (ms)}, {'late', the present time} if that time is over, {'forgotten'} if the ledger is lost,
--          or the opening by this leader, {'superseded'} if a newer leader has opened it

-- LedgerStore.NEWEST, under which entries are amended whoever has opened the ledger.
local NEWEST = 9007199254740991

local token, until_when, removed, stamped = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local last = tonumber(redis.call('HGET', KEYS[1], 'token') or '')

if not last
  or last < token and token ~= NEWEST -- guard: forgotten
then
  return {'forgotten'}
end
if last > token then -- guard: newer
  return {'superseded'}
end
-- A request may have waited in a server that stood still, or in a connection that is broken, until after the death of its leader.
if until_when and now > until_when then -- guard: late
  return {'late', tostring(now)}
end

for i = 5, 4 + removed do
  redis.call('HDEL', KEYS[1], ARGV[i])
end
for i = 5 + removed, 4 + removed + stamped do
  redis.call('HSET', KEYS[1], ARGV[i], tostring(now))
end
for i = 5 + removed + stamped, #ARGV, 2 do
  redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1])
end
return {'written', tostring(now)}
