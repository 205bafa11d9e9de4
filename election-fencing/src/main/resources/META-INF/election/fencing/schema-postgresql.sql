create table if not exists election_fence (
    resource varchar(255) not null primary key,
    election varchar(255),
    token bigint not null,
    raised_at timestamp with time zone not null
);
