-- Tries the commands by which the scripts of the protocol ask the server itself, which some products refuse to scripts and not to
-- clients. Changes nothing.
--
-- KEYS  1 any key of an election, for the way to a member of a Cluster
-- Returns  {'probed', error of TIME, error of INFO, INFO server, INFO replication}, empty where there is none

local function try(...)
  local reply = redis.pcall(...)
  if type(reply) == 'table' and reply.err then
    return '', reply.err
  end
  return reply, ''
end

local _, time_error = try('TIME')
local server, info_error = try('INFO', 'server')
local replication = try('INFO', 'replication')
return {'probed', time_error, info_error, server, replication}
