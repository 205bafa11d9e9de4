--liquibase formatted sql

--changeset shop:1
create table orders (id int not null);
-- The test holds this table, so that the runner is killed here.
insert into test.gate values (1);

--changeset shop:2 runInTransaction:false
create index concurrently orders_by_id on orders (id);
