-- What the scripts of the protocol share; it is put before each of them.
--
-- KEYS  1 lease   hash: candidacy, node (see NodeInfo), token, since, lease (its length in ms), until (when it ends),
--                 other, other-until (an application of another name that campaigns, and until when that counts)
--       2 epoch   hash: token (the highest granted), closed (the highest released), until (when its lease ends), lease (of the
--                 last grant or renewal, in ms), incarnation (of the server that wrote this last), evicted (the token that was
--                 taken away last), cooldown (how long in ms its node cools down), format (of all these keys)
--       3 lock-delay  string: until when, for how long (ms) and why nobody may be granted the lease
--       4 queue   sorted set: candidacies by the time they joined
--       5 queue-expiry  sorted set: candidacies by the time at which they count as gone
--       6 history list, latest first: token, since, until, reason, node, and who asked for its end if anybody did; a line each but for
--                 the node, which has several; until and reason are empty while it lasts
--
-- All times are in ms by the clock of this server, which server.lua reads. The stored ends decide; the expiry of a key only tidies up.

local FORMAT = 1

local texts = {}

-- Lua turns a large number into 1.7e+15 unless told otherwise. That takes longer than to look it up, and a script needs most of them twice.
local function text(number)
  local known = texts[number]
  if not known then
    known = string.format('%.0f', number)
    if number == number then
      texts[number] = known
    end
  end
  return known
end

-- The length of a lease, which is a day at most.
local function length_of(stored)
  local value = number(stored)
  return value and value > 0 and value <= 86400000 and value or nil
end

local function expire(key, length)
  redis.call('PEXPIRE', key, length)
end

-- Whether an end lies further ahead than its length: the clock has gone back.
local function too_late(ends, length)
  return ends > now + length -- guard: clock
end

-- The expiry goes first: a server that has reached its memory limit refuses HSET unless the script has written already.
local function extend_lease(length)
  expire(KEYS[1], length)
  redis.call('HSET', KEYS[1], 'lease', text(length), 'until', text(now + length))
end

-- The lease that was found, if it has not ended; it lasts through its last millisecond.
local function open_lease(found, asked)
  local token = number(found[3]) or 0
  if not found[1] or not found[2] or token == 0 then
    return nil
  end
  local length = length_of(found[5]) or asked
  local ends = number(found[6])
  if ends and ends < now then
    redis.call('DEL', KEYS[1])
    return nil
  end
  -- Its end was deleted or is no number: without a stored end it would be computed anew each time, and the lease would never end.
  if not ends or too_late(ends, length) then
    ends = now + length
    extend_lease(length)
  end
  return {
    candidacy = found[1], node = found[2] or '', token = token, since = number(found[4]) or now,
    ends = ends, other = (number(found[8]) or 0) > now and found[7] or ''}
end

-- Gives the lease to a candidacy, in place of whatever stands there.
local function write_lease(candidacy, node, token, since, length)
  redis.call('DEL', KEYS[1])
  redis.call('HSET', KEYS[1], 'candidacy', candidacy, 'node', node, 'token', text(token), 'since', text(since),
    'lease', text(length), 'until', text(now + length))
  expire(KEYS[1], length)
end

local function write_lock_delay(length, why)
  redis.call('SET', KEYS[3], text(now + length) .. ' ' .. text(length) .. ' ' .. why)
  expire(KEYS[3], length)
end

-- The lock delay that was found, if it has not ended.
local function open_lock_delay(found, asked)
  if not found then
    return nil
  end
  local ends, length, why = string.match(found, '^(%d+) (%d+) (.*)$')
  ends, length, why = number(ends) or math.huge, length_of(length) or asked, why or ''
  if ends <= now then
    redis.call('DEL', KEYS[3])
    return nil
  end
  if too_late(ends, length) then
    ends = now + length
    write_lock_delay(length, why)
  end
  return {ends = ends, reserved_for = string.match(why, '^reserved:(.*)$')}
end

-- How the election stands, as open_record has read it and the script has changed it.
local record

-- Nobody may be granted the lease for that long, or for as long as was said before. Goes before what the request writes about the reason:
-- where the user may not run SET, the next request would find no reason any more, and grant the lease. Where it may not run HSET, it is refused
-- before there is a lock delay, which would be waited for in between.
local function lock(why, length)
  redis.call('HSET', KEYS[2], 'format', FORMAT)
  local before = record.lock_delay
  local longest = before and math.max(length, before.ends - now) or length
  write_lock_delay(longest, why)
  record.lock_delay = {ends = now + longest}
  return longest
end

-- The lease is kept for a successor for a while, but never in place of a lock delay that is there to keep everybody out.
local function reserve(successor, length)
  if successor ~= '' and length > 0 and not record.lock_delay then
    write_lock_delay(length, 'reserved:' .. successor)
  end
end

-- A write that needs no memory: a server that has reached its memory limit refuses others unless the script has written already.
local function write_something()
  redis.pcall('ZREM', KEYS[5], '')
end

-- Asks whoever leads to renew, and says whether the user may do that.
local function call_roll(channel)
  local heard = redis.pcall('PUBLISH', channel, table.concat({'roll-call', text(now), record.incarnation or ''}, '\n'))
  return type(heard) == 'number'
end

-- If another incarnation of the server wrote the record, it may have acknowledged more than is here: then nobody is
-- granted the lease for its full length, in which a living leader renews. Not if the present incarnation is older than that: the lease
-- of every earlier leader has ended.
local function note_incarnation(epoch, asked, channel)
  record.incarnation, record.unchanged_for = read_incarnation()
  if not epoch.token or not record.incarnation or record.incarnation == epoch.incarnation then
    return
  end
  local longest = math.max(asked, epoch.length)
  write_something()
  if record.unchanged_for < longest then
    lock('forgotten', longest) -- guard: incarnation
    call_roll(channel)
  end
  redis.call('HSET', KEYS[2], 'incarnation', record.incarnation)
end

-- The error for a record in a format that a newer version of these scripts has written.
local function newer_format(stored)
  if (tonumber(stored or '') or 0) > FORMAT then
    return redis.error_reply('NEWERFORMAT The record has format ' .. stored .. ', but this node knows ' .. FORMAT)
  end
end

-- asked    length of the lease of the candidate that asks, in ms; nil if no candidate does
-- channel  where a roll call goes; nil if the request does not look at the incarnation
-- queues   whether the request changes the queue
local function open_record(asked, channel, queues)
  record = {}
  local found = redis.call('HMGET', KEYS[2], 'token', 'closed', 'until', 'lease', 'incarnation', 'evicted', 'cooldown', 'format')
  record.newer_format = newer_format(found[8])
  if record.newer_format then
    return
  end
  -- Whatever can be of another type is read before anything is written: a request that fails has changed nothing.
  local lease = redis.call('HMGET', KEYS[1], 'candidacy', 'node', 'token', 'since', 'lease', 'until', 'other', 'other-until')
  local lock_delay = redis.call('GET', KEYS[3])
  if queues then
    redis.call('ZCARD', KEYS[4])
    redis.call('ZCARD', KEYS[5])
  end
  asked = asked or length_of(found[4]) or 60000
  local epoch = {
    token = number(found[1]), closed = number(found[2]) or 0, ends = number(found[3]) or 0,
    length = length_of(found[4]) or asked, incarnation = found[5], evicted = found[6],
    cooldown = (found[7] == '0' or length_of(found[7])) and found[7] or ''}
  if too_late(epoch.ends, epoch.length) then
    epoch.ends = now + epoch.length
    write_something()
    redis.call('HSET', KEYS[2], 'until', text(epoch.ends))
  end
  record.epoch = epoch
  record.lease = open_lease(lease, asked)
  record.lock_delay = open_lock_delay(lock_delay, asked)
  if channel then
    note_incarnation(epoch, asked, channel)
  end
end

local function write_epoch(...)
  redis.call('HSET', KEYS[2], 'format', FORMAT, ...)
  if record.incarnation and not record.epoch.token then
    redis.call('HSET', KEYS[2], 'incarnation', record.incarnation)
  end
end

-- Notes a grant or a renewal.
local function extend_epoch(token, length)
  write_epoch('token', text(math.max(record.epoch.token or 0, token)), 'until', text(now + length), 'lease', text(length))
end

-- Closes the entry of a leadership in the history. Whatever is wrong with that list, the election goes on.
local function conclude(token, reason, requested_by)
  local last = redis.pcall('LINDEX', KEYS[6], 0)
  local open, who = string.match(type(last) == 'string' and last or '', '^(' .. text(token) .. '\n%d+\n)\n\n(.*)$')
  if open then
    local by = requested_by == '' and '' or '\nrequested-by=' .. requested_by
    redis.pcall('LSET', KEYS[6], 0, open .. text(now) .. '\n' .. reason .. '\n' .. who .. by)
  end
end

-- A leadership begins, or comes back.
local function remember(token, since, node, remembered)
  redis.pcall('LPUSH', KEYS[6], table.concat({text(token), text(since), '', '', node}, '\n'))
  redis.pcall('LTRIM', KEYS[6], 0, remembered - 1)
end

local function publish_acquired(channel, token, since, length, node)
  redis.pcall('PUBLISH', channel, table.concat({'acquired', text(token), text(since), text(length), node}, '\n'))
end

local function publish_released(channel, token, reserved, successor)
  redis.pcall('PUBLISH', channel, table.concat({'released', text(token), text(reserved), successor}, '\n'))
end

