create index concurrently orders_by_id on orders (id);
