--liquibase formatted sql

--changeset shop:1
create table parcels (id int not null);
