-- What the scripts of the protocol share. It stands before each of them.
--
-- KEYS  1 lease   hash with expiry: candidacy, node, address, token, since, lease (its length in ms), application (of the holder),
--                 other, other-until (an application of another name that campaigns, and until when that counts)
--       2 epoch   hash: token (the highest granted), closed (the highest released), until (when its lease ends), lease (of the
--                 last grant or renewal, in ms), incarnation (of the server that wrote this last), evicted (the token that was
--                 taken away last), cooldown (for how long in ms its node is to stay out)
--       3 lock-delay  string with expiry: for how long (ms) and why nobody may be granted now
--       4 queue   sorted set: candidacies by the time they joined
--       5 queue-expiry  sorted set: candidacies by the time at which they count as gone
--       6 history list, latest first: token, since, until, reason, node, address, a line each; the last ones empty while it lasts

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

-- Lua turns a large number into 1.7e+15 unless told otherwise.
local function text(number)
  return string.format('%.0f', number)
end

-- How long a key lasts. Expiries are absolute: one that somebody has robbed of its expiry, or that lasts for longer than it was
-- made for since the clock has gone back, would block the election.
local function remaining(key, length)
  local left = redis.call('PTTL', key)
  if left == -1
    or left > length -- guard: clock
  then
    redis.call('PEXPIRE', key, length)
    return length
  end
  return math.max(0, left)
end

-- For how long nobody may be granted the lease, and for which node it is reserved, if for one.
local function read_hold(lease)
  local found = redis.call('GET', KEYS[3])
  if not found then
    return 0
  end
  local length, why = string.match(found, '^(%d+) (.*)$')
  return remaining(KEYS[3], tonumber(length) or lease), string.match(why or '', '^reserved:(.*)$')
end

-- Nobody may be granted the lease for that long, or for as long as was said before.
local function keep_out(why, length)
  local longest = math.max(length, (read_hold(length)))
  redis.call('SET', KEYS[3], text(longest) .. ' ' .. why, 'PX', text(longest))
  return longest
end

-- What changes whenever a server may have lost what it acknowledged, and for how long it can't have done so, in ms: a process loads
-- its data when it starts, and a promoted replica has those of another one. Nothing where INFO is refused.
local function read_incarnation()
  local server = redis.pcall('INFO', 'server')
  local replication = redis.pcall('INFO', 'replication')
  local process = type(server) == 'string' and string.match(server, 'run_id:(%w+)')
  local data = type(replication) == 'string' and string.match(replication, 'master_replid:(%w+)')
  if not process or not data then
    return nil, 0
  end
  local seconds = tonumber(string.match(server, 'uptime_in_seconds:(%d+)') or '') or 0
  local was_replica = false
  was_replica = not string.match(replication, 'master_replid2:0+%s') -- guard: replica
  return process .. ':' .. data, was_replica and 0 or math.max(0, seconds - 1) * 1000
end

local incarnation, unchanged_for = nil, 0

-- Reads the record of an election: its highest token, nil without any, the highest released, and when the last lease ends. If another
-- incarnation of the server wrote it, which may have acknowledged more than is here, whoever leads gets a full lease to speak up,
-- unless the present one is so old that nobody of before can believe to lead any more.
local function open_record(channel, lease)
  local record = redis.call('HMGET', KEYS[2], 'token', 'closed', 'until', 'lease', 'incarnation')
  local term, length = tonumber(record[1] or ''), tonumber(record[4] or '') or lease
  local lasts, latest = tonumber(record[3] or '') or 0, now + length
  if lasts > latest then
    -- The clock has gone back.
    lasts = latest
    redis.call('HSET', KEYS[2], 'until', text(lasts))
  end
  incarnation, unchanged_for = read_incarnation()
  if incarnation and incarnation ~= record[5] then
    redis.call('HSET', KEYS[2], 'incarnation', incarnation)
    local longest = math.max(lease, length)
    if term and unchanged_for < longest then
      keep_out('forgotten', longest) -- guard: incarnation
      redis.pcall('PUBLISH', channel, 'roll-call')
    end
  end
  return term, tonumber(record[2] or '') or 0, lasts
end

-- Closes the entry of a leadership in the history. Whatever is wrong with that list, the election goes on.
local function conclude(token, reason)
  local last = redis.pcall('LINDEX', KEYS[6], 0)
  local open, who = string.match(type(last) == 'string' and last or '', '^(' .. text(token) .. '\n%d+\n)\n\n(.*)$')
  if open then
    redis.pcall('LSET', KEYS[6], 0, open .. text(now) .. '\n' .. reason .. '\n' .. who)
  end
end

