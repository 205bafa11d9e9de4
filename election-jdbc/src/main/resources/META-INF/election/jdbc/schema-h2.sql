-- Empty whenever the database was opened anew: its row names the present run of the database.
create memory table if not exists election_incarnation (
    one int not null primary key,
    id uuid not null
) not persistent;

-- The last one: where it is there, so is the other.
create table if not exists election (
    name varchar(255) not null primary key,
    content varchar(1000000) not null,
    version bigint not null,
    news varchar(64) not null,
    holder varchar(255),
    token bigint,
    lease_end timestamp(3) with time zone
);
