import { type Kysely, sql } from 'kysely';

/**
 * Counters tell attempts that are under way from those that have failed: whoever finds all places merely taken may wait
 * for one. The function keeps its meaning for the callers of before, which do not ask to hold a place.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE throttle_counters ADD COLUMN under_way integer NOT NULL DEFAULT 0`.execute(db);
  await sql`DROP FUNCTION reserve_attempt(bytea[], integer[], integer[], timestamptz)`.execute(db);
  await sql`
    CREATE FUNCTION reserve_attempt(p_keys bytea[], p_limits integer[], p_seconds integer[], p_now timestamptz,
                                    p_hold boolean DEFAULT false)
    RETURNS integer -- seconds to wait; 0: reserved; -1: attempts that are under way hold the last places
    LANGUAGE plpgsql SET search_path = pg_catalog, public
    AS $$
    DECLARE
      v_rule record; v_attempts integer; v_held integer; v_ends timestamptz; v_wait integer := 0; v_taken boolean := false;
    BEGIN
      FOR v_rule IN
        SELECT * FROM unnest(p_keys, p_limits, p_seconds) AS rule(key, allowed, seconds) ORDER BY key
      LOOP
        INSERT INTO throttle_counters AS c (key, attempts, window_ends_at)
        VALUES (v_rule.key, 0, p_now + make_interval(secs => v_rule.seconds))
        ON CONFLICT (key) DO UPDATE SET
          attempts = CASE WHEN c.window_ends_at <= p_now THEN 0 ELSE c.attempts END,
          under_way = CASE WHEN c.window_ends_at <= p_now THEN 0 ELSE c.under_way END,
          window_ends_at = CASE WHEN c.window_ends_at <= p_now
            THEN excluded.window_ends_at ELSE c.window_ends_at END
        RETURNING c.attempts, c.under_way, c.window_ends_at INTO v_attempts, v_held, v_ends;
        CONTINUE WHEN v_attempts < v_rule.allowed;
        IF p_hold AND v_attempts - v_held < v_rule.allowed THEN
          v_taken := true;
        ELSE
          v_wait := greatest(v_wait, ceil(extract(epoch FROM v_ends - p_now))::integer, 1);
        END IF;
      END LOOP;
      IF v_wait > 0 THEN RETURN v_wait; END IF;
      IF v_taken THEN RETURN -1; END IF;
      UPDATE throttle_counters SET attempts = attempts + 1, under_way = under_way + p_hold::integer
      WHERE key = ANY (p_keys);
      RETURN 0;
    END $$`.execute(db);
}
