create table if not exists election (
    name varchar(255) not null primary key,
    content mediumtext not null,
    version bigint not null,
    news varchar(64) not null,
    holder varchar(255),
    token bigint,
    lease_end datetime(3) comment 'UTC'
) engine = innodb default character set utf8mb4 collate utf8mb4_nopad_bin;
