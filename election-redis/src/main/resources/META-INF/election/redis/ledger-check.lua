-- Runs every command of the other ledger scripts that the user may lack, and changes nothing: no entry has an empty name.
-- HSET and TIME it does not run; the leases need them too.
--
-- KEYS  1 ledger   (as in ledger-open.lua)
-- Returns  {'usable'}, or the error that they would raise

redis.call('HGET', KEYS[1], 'token')
redis.call('HGETALL', KEYS[1])
redis.call('HDEL', KEYS[1], '')
return {'usable'}
