create table orders (id int not null);
-- The test holds this table, so that the runner is killed here.
insert into test.gate values (1);
