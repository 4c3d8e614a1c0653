"""The audit log only grows: the database refuses changes and deletions."""

from django.db import migrations

FORWARD = """
CREATE FUNCTION leaderboard_refuse_audit_change() RETURNS trigger AS $$
BEGIN
    RAISE EXCEPTION 'audit events are append-only'
        USING ERRCODE = 'restrict_violation';
END;
$$ LANGUAGE plpgsql;
CREATE TRIGGER audit_append_only
    BEFORE UPDATE OR DELETE ON leaderboard_auditevent
    FOR EACH ROW EXECUTE FUNCTION leaderboard_refuse_audit_change();
"""
BACKWARD = """
DROP TRIGGER audit_append_only ON leaderboard_auditevent;
DROP FUNCTION leaderboard_refuse_audit_change();
"""


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0001_tables")]
    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
