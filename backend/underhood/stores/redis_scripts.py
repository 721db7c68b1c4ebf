"""The writes of the Redis store, in Lua: Redis carries each out whole, with nobody in between.

A script takes all the keys that it touches by name, except those of other runs, whose names it makes from a prefix.
Events stand in a stream whose entry ids are their numbers: ``7-0`` is event 7.
"""

from __future__ import annotations

KEEP = 7 * 24 * 3600  # seconds that a finished run stays, if nobody prunes it before

COMMON = f"""
local KEEP = {KEEP}

-- A score above all others of a sorted set: the time, and where a clock was set back what comes after the newest.
local function after(set)
  local now, newest = redis.call('TIME'), redis.call('ZREVRANGE', set, 0, 0, 'WITHSCORES')[2]
  return math.max(now[1] * 1000000 + now[2], (newest or 0) + 1)
end

-- Whether the attempt may still write: the run is there, it has not ended, and no newer attempt has begun.
local function current(run, attempt)
  local now = redis.call('HMGET', run, 'attempt', 'ended')
  return now[1] == attempt and now[2] == ''
end

-- Append events, kind and data in turn from that place of the list on, and let all readers know.
local function add(id, run, log, notifications, events, from)
  local head, size = tonumber(redis.call('HGET', run, 'head')), 0
  for i = from or 1, #events, 2 do
    head = head + 1
    size = size + #events[i + 1]
    redis.call('XADD', log, head .. '-0', 'kind', events[i], 'data', events[i + 1])
  end
  redis.call('HSET', run, 'head', head)
  redis.call('HINCRBY', run, 'size', size)
  redis.call('XADD', notifications, 'MAXLEN', '~', 2000, '*', 'run', id)
end
"""

# KEYS by_key run log notifications live; ARGV id, prefix of runs, statuses to reuse, number of fields, fields,
# events. The id of the run that may be shared instead, or nothing.
CREATE = (
    COMMON
    + """
local other = redis.call('GET', KEYS[1])
local status = other and redis.call('HGET', ARGV[2] .. other, 'status')
if status and string.find(ARGV[3], ' ' .. status .. ' ', 1, true) then return other end
local fields = {}
for i = 5, 4 + ARGV[4] do fields[#fields + 1] = ARGV[i] end
redis.call('SET', KEYS[1], ARGV[1])
redis.call('HSET', KEYS[2], unpack(fields))
redis.call('ZADD', KEYS[5], after(KEYS[5]), ARGV[1])
if #ARGV > 4 + ARGV[4] then add(ARGV[1], KEYS[2], KEYS[3], KEYS[4], ARGV, 5 + ARGV[4]) end
return false
"""
)

# KEYS run log notifications; ARGV id, provenance or nothing. The number of the attempt, or nothing if the run has
# ended or is not there. With a provenance its `started` is written, too.
BEGIN = (
    COMMON
    + """
if redis.call('HGET', KEYS[1], 'ended') ~= '' then return false end
redis.call('HSET', KEYS[1], 'status', 'running')
local attempt = redis.call('HINCRBY', KEYS[1], 'attempt', 1)
if ARGV[2] then
  local data = '{"kind": "started", "attempt": ' .. attempt .. ', "provenance": ' .. ARGV[2] .. '}'
  add(ARGV[1], KEYS[1], KEYS[2], KEYS[3], {'started', data})
end
return attempt
"""
)

# KEYS run; ARGV attempt. Nothing changes if it never began, or was excused before.
EXCUSE = """
local now = redis.call('HMGET', KEYS[1], 'attempt', 'ended')
local once = 'excused ' .. ARGV[1]
if now[2] ~= '' or tonumber(now[1]) < tonumber(ARGV[1]) then return end
if redis.call('HSETNX', KEYS[1], once, 1) == 1 then redis.call('HINCRBY', KEYS[1], 'excused', 1) end
"""

# KEYS run log notifications; ARGV id, attempt, events. 1, or nothing if the attempt is over.
APPEND = (
    COMMON
    + """
if not current(KEYS[1], ARGV[2]) then return false end
add(ARGV[1], KEYS[1], KEYS[2], KEYS[3], ARGV, 3)
return 1
"""
)

# KEYS run log notifications live ended by_key blobs_of_run; ARGV id, attempt, status, reason, time, prefix of
# blobs, event. 1, or nothing if the attempt is over.
END = (
    COMMON
    + """
if not current(KEYS[1], ARGV[2]) then return false end
add(ARGV[1], KEYS[1], KEYS[2], KEYS[3], ARGV, 7)
redis.call('HSET', KEYS[1], 'status', ARGV[3], 'reason', ARGV[4], 'ended', ARGV[5])
redis.call('ZREM', KEYS[4], ARGV[1])
redis.call('ZADD', KEYS[5], after(KEYS[5]), ARGV[1])
for _, digest in ipairs(redis.call('SMEMBERS', KEYS[7])) do redis.call('EXPIRE', ARGV[6] .. digest, KEEP) end
for _, n in ipairs({1, 2, 6, 7}) do redis.call('EXPIRE', KEYS[n], KEEP) end
return 1
"""
)

# KEYS run blob users blobs_of_run; ARGV id, attempt, digest, bytes. 1, or nothing if the attempt is over.
ADD_BLOB = (
    COMMON
    + """
if not current(KEYS[1], ARGV[2]) then return false end
redis.call('SET', KEYS[2], ARGV[4], 'EX', KEEP)
redis.call('SADD', KEYS[3], ARGV[1])
redis.call('EXPIRE', KEYS[3], KEEP)
redis.call('SADD', KEYS[4], ARGV[3])
redis.call('HINCRBY', KEYS[1], 'size', #ARGV[4])
return 1
"""
)

# KEYS ended; ARGV most runs, most bytes, prefix of all keys. How many runs were dropped: the oldest first.
PRUNE = """
local p = ARGV[3]
local kept, total, dropped = 0, 0, 0
for _, id in ipairs(redis.call('ZREVRANGE', KEYS[1], 0, -1)) do
  local run = redis.call('HMGET', p .. 'run:' .. id, 'size', 'key')
  total = total + (tonumber(run[1]) or 0)
  if run[1] and kept < tonumber(ARGV[1]) and total <= tonumber(ARGV[2]) then
    kept = kept + 1
  else
    for _, digest in ipairs(redis.call('SMEMBERS', p .. 'blobs:' .. id)) do
      redis.call('SREM', p .. 'users:' .. digest, id)
      if redis.call('EXISTS', p .. 'users:' .. digest) == 0 then redis.call('DEL', p .. 'blob:' .. digest) end
    end
    if run[2] and redis.call('GET', p .. 'key:' .. run[2]) == id then redis.call('DEL', p .. 'key:' .. run[2]) end
    redis.call('DEL', p .. 'run:' .. id, p .. 'log:' .. id, p .. 'blobs:' .. id)
    redis.call('ZREM', KEYS[1], id)
    dropped = dropped + (run[1] and 1 or 0)
  end
end
return dropped
"""

# Results: a hash from run to JSON, whose field "number" counts them, and sorted sets of runs by number, one of each
# lab and one of each of its machines.

# KEYS run results of_lab of_machine machines; ARGV id, attempt, most, machine, JSON, prefix of machines' sets.
# 1, or nothing if the attempt is over.
REMEMBER = (
    COMMON
    + """
if not current(KEYS[1], ARGV[2]) then return false end
local number = redis.call('HINCRBY', KEYS[2], 'number', 1)
local before = redis.call('HGET', KEYS[2], ARGV[1])
if before then redis.call('ZREM', ARGV[6] .. cjson.decode(before).provenance.machine, ARGV[1]) end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[5])
redis.call('SADD', KEYS[5], ARGV[4])
for n = 3, 4 do redis.call('ZADD', KEYS[n], number, ARGV[1]) end
for _, old in ipairs(redis.call('ZRANGE', KEYS[4], 0, -1 - ARGV[3])) do
  redis.call('HDEL', KEYS[2], old)
  for n = 3, 4 do redis.call('ZREM', KEYS[n], old) end
end
return 1
"""
)

# KEYS results, of_lab or of_machine; ARGV bound of the number, most. Pairs of number and JSON, the newest first.
RESULTS = """
local found = {}
local runs = redis.call('ZREVRANGEBYSCORE', KEYS[2], ARGV[1], '-inf', 'WITHSCORES', 'LIMIT', 0, ARGV[2])
for n = 1, #runs, 2 do found[#found + 1] = {runs[n + 1], redis.call('HGET', KEYS[1], runs[n])} end
return found
"""

# KEYS machines; ARGV prefix of machines' sets. Name, count and newest number of each.
MACHINES = """
local found = {}
for _, name in ipairs(redis.call('SMEMBERS', KEYS[1])) do
  local newest = redis.call('ZREVRANGE', ARGV[1] .. name, 0, 0, 'WITHSCORES')
  if newest[1] then found[#found + 1] = {name, redis.call('ZCARD', ARGV[1] .. name), newest[2]} end
end
return found
"""
