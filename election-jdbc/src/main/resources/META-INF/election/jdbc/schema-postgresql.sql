create table if not exists election (
    name varchar(255) collate "C" not null primary key,
    content text collate "C" not null,
    version bigint not null,
    news varchar(64) not null,
    holder varchar(255),
    token bigint,
    lease_end timestamp(3) with time zone
);
