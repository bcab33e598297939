-- The role, the database and the schema of a Quiver store, with the least rights that it needs. Once, on
-- the primary, as a superuser of PostgreSQL:
--
--     psql -v ON_ERROR_STOP=1 -v password="$(cat password)" -f store.sql
--
-- Several stores in one PostgreSQL: a role and a database each. The tables are made by the first Quiver.
\if :{?name}
\else
\set name quiver
\endif
SET password_encryption = 'scram-sha-256';
CREATE ROLE :"name" LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION PASSWORD :'password';
CREATE DATABASE :"name" ENCODING 'UTF8' TEMPLATE template0;
REVOKE ALL ON DATABASE :"name" FROM PUBLIC;
GRANT CONNECT ON DATABASE :"name" TO :"name";
\connect :"name"
REVOKE ALL ON SCHEMA public FROM PUBLIC;
CREATE SCHEMA quiver AUTHORIZATION :"name";
