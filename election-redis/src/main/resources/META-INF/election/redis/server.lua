-- Reads the time and the incarnation of the server, once a script for however many elections, for the scripts of the protocol and of the ledger.

local now = (function(time) return time[1] * 1000 + math.floor(time[2] / 1000) end)(redis.call('TIME'))

-- Reads a number as these scripts write it. Anything else in its place counts as missing: a script that took it for a number would write
-- another one that nobody can read, again and again.
local function number(stored)
  local value = stored and string.find(stored, '^%d+$') and tonumber(stored)
  return value and value < 9007199254740992 and value or nil
end

-- Returns the incarnation, which changes whenever a server may have lost what it acknowledged, and for how long it can't have lost anything,
-- in ms: a process loads its data when it starts, and a promoted replica has those of another one. Returns nil where INFO is refused.
local function ask_incarnation()
  local server = redis.pcall('INFO', 'server')
  local replication = redis.pcall('INFO', 'replication')
  if type(replication) == 'string' and string.find(replication, 'role:active-replica', 1, true) then
    -- Each of its peers accepts writes too, and could grant the lease.
    error('ACTIVEREPLICA: this server accepts writes beside others')
  end
  local process = type(server) == 'string' and string.match(server, 'run_id:(%w+)')
  local data = type(replication) == 'string' and string.match(replication, 'master_replid:(%w+)')
  if not process or not data then
    return nil, 0
  end
  local seconds = tonumber(string.match(server, 'uptime_in_seconds:(%d+)') or '') or 0
  local was_replica = not string.match(replication, 'master_replid2:0+%s') -- guard: replica
  return process .. ':' .. data, was_replica and 0 or math.max(0, seconds - 1) * 1000
end

local answer

local function read_incarnation()
  answer = answer or {ask_incarnation()}
  return answer[1], answer[2]
end

