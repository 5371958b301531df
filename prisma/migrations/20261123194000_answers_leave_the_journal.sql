-- What a round streams is no part of the journal any more. Only runs that had not ended could have such rows.
DELETE FROM run_events v USING runs r
WHERE r.id = v."runId" AND r.status <> 'ended' AND v.type IN ('text-delta', 'reasoning-delta', 'call-delta');
