create table if not exists election_fence (
    resource varchar(255) character set utf8mb4 collate utf8mb4_bin not null primary key,
    election varchar(255) character set utf8mb4 collate utf8mb4_bin,
    token bigint not null,
    raised_at timestamp not null default current_timestamp
) engine = InnoDB;
