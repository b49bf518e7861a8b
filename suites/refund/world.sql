-- The world of the refund desk: one shop on the morning of 2026-10-15.
-- Money is DECIMAL; every row that an agent's tool writes says made_by = 'agent'.

create table clock (today date);
insert into clock values ('2026-10-15');

create table customers (
    id varchar primary key, name varchar, email varchar, phone varchar, language varchar, level varchar, hold boolean
);
insert into customers values
    ('C-01', 'Alice Moore',  'alice.moore@example.com',  '+1 202 555 0141', 'en', 'standard', false),
    ('C-02', 'Ben Carter',   'ben.carter@example.com',   '+1 202 555 0117', 'en', 'standard', false),
    ('C-03', 'Chloe Evans',  'chloe.evans@example.com',  '+1 202 555 0163', 'en', 'standard', false),
    ('C-04', 'Daniel Reed',  'daniel.reed@example.com',  '+1 202 555 0128', 'en', 'gold',     false),
    ('C-05', 'Emma Stott',   'emma.stott@example.com',   '+1 202 555 0175', 'en', 'standard', false),
    ('C-06', 'Frank Osei',   'frank.osei@example.com',   '+1 202 555 0189', 'en', 'standard', false),
    ('C-07', 'Grace Novak',  'grace.novak@example.com',  '+1 202 555 0102', 'en', 'standard', false),
    ('C-08', 'Henry Quinn',  'henry.quinn@example.com',  '+1 202 555 0136', 'en', 'standard', false),
    ('C-09', 'Isla Byrne',   'isla.byrne@example.com',   '+1 202 555 0154', 'en', 'gold',     false),
    ('C-10', 'Jack Tanaka',  'jack.tanaka@example.com',  '+1 202 555 0190', 'en', 'standard', true),
    ('C-11', '王芳', 'wangfang@example.com',   '+86 100 0000 4821', 'zh', 'standard', false),
    ('C-12', '李伟', 'liwei.hz@example.com',   '+86 100 0000 3306', 'zh', 'standard', false),
    ('C-13', '李伟', 'liwei.cd@example.com',   '+86 100 0000 7754', 'zh', 'standard', false),
    ('C-14', '张敏', 'zhangmin@example.com',   '+86 100 0000 2290', 'zh', 'gold',     false),
    ('C-15', '刘洋', 'liuyang@example.com',    '+86 100 0000 6618', 'zh', 'standard', false),
    ('C-16', '陈静', 'chenjing@example.com',   '+86 100 0000 9042', 'zh', 'standard', false),
    ('C-17', '杨帆', 'yangfan@example.com',    '+86 100 0000 1573', 'zh', 'standard', false),
    ('C-18', '赵磊', 'zhaolei@example.com',    '+86 100 0000 8467', 'zh', 'standard', false),
    ('C-19', '黄婷', 'huangting@example.com',  '+86 100 0000 5539', 'zh', 'standard', false),
    ('C-20', '周捷', 'zhoujie@example.com',    '+86 100 0000 3914', 'zh', 'standard', false),
    ('C-21', '吴倩', 'wuqian@example.com',     '+86 100 0000 7081', 'zh', 'standard', false),
    ('C-22', '徐强', 'xuqiang@example.com',    '+86 100 0000 2647', 'zh', 'standard', false),
    ('C-23', 'Karen Walsh',  'karen.walsh@example.com',  '+1 202 555 0148', 'en', 'standard', false),
    ('C-24', '孙悦', 'sunyue@example.com',     '+86 100 0000 7316', 'zh', 'standard', false),
    ('C-25', '何俊', 'hejun@example.com',      '+86 100 0000 5127', 'zh', 'standard', false),
    ('C-26', '郭琳', 'guolin@example.com',     '+86 100 0000 6093', 'zh', 'standard', false);

-- What may come back, for how long after delivery, and what the shop keeps.
create table policy (
    category varchar primary key, returnable boolean, window_days integer, fee_rate decimal(4, 2), rule varchar
);
insert into policy values
    ('kitchen',     true,  30, 0.00, 'Unused or as new, 30 days from delivery.'),
    ('home',        true,  30, 0.00, 'Unused or as new, 30 days from delivery.'),
    ('books',       true,  30, 0.00, 'Clean and unmarked, 30 days from delivery.'),
    ('toys',        true,  30, 0.00, 'Complete, 30 days from delivery.'),
    ('clothing',    true,  60, 0.00, 'With labels, 60 days from delivery.'),
    ('electronics', true,  14, 0.10, 'Opened goods, 14 days from delivery; a tenth is kept for re-testing.'),
    ('software',    false,  0, 0.00, 'A licence that was delivered is not taken back.'),
    ('giftcard',    false,  0, 0.00, 'Gift cards are not taken back.'),
    ('outlet',      false,  0, 0.00, 'Outlet goods are final sale unless the carrier reported damage.');

create table orders (
    id varchar primary key, customer_id varchar, ordered_on date, delivered_on date, status varchar, currency varchar
);
insert into orders values
    ('A-1001', 'C-01', '2026-10-05', '2026-10-10', 'delivered', 'USD'),
    ('A-1002', 'C-11', '2026-10-04', '2026-10-08', 'delivered', 'CNY'),
    ('A-1003', 'C-02', '2026-10-01', '2026-10-07', 'delivered', 'USD'),
    ('A-1004', 'C-14', '2026-09-26', '2026-09-30', 'delivered', 'CNY'),
    ('A-1005', 'C-03', '2026-10-06', '2026-10-11', 'delivered', 'USD'),
    ('A-1006', 'C-04', '2026-10-02', '2026-10-09', 'delivered', 'USD'),
    ('A-1007', 'C-15', '2026-10-12', null,         'in_transit', 'CNY'),
    ('A-1008', 'C-16', '2026-10-03', '2026-10-06', 'delivered', 'CNY'),
    ('A-1009', 'C-23', '2026-10-03', '2026-10-08', 'delivered', 'USD'),
    ('A-1101', 'C-01', '2026-10-01', '2026-10-06', 'delivered', 'USD'),
    ('A-1102', 'C-12', '2026-10-03', '2026-10-07', 'delivered', 'CNY'),
    ('A-1103', 'C-05', '2026-09-20', '2026-09-25', 'delivered', 'USD'),
    ('A-1104', 'C-17', '2026-10-06', '2026-10-09', 'delivered', 'CNY'),
    ('A-1105', 'C-06', '2026-09-27', '2026-10-02', 'delivered', 'USD'),
    ('A-1106', 'C-18', '2026-10-05', '2026-10-09', 'delivered', 'CNY'),
    ('A-1107', 'C-07', '2026-10-03', '2026-10-08', 'delivered', 'USD'),
    ('A-1108', 'C-19', '2026-10-07', '2026-10-11', 'delivered', 'CNY'),
    ('A-1201', 'C-02', '2026-09-30', '2026-10-05', 'delivered', 'USD'),
    ('A-1202', 'C-16', '2026-08-27', '2026-08-31', 'delivered', 'CNY'),
    ('A-1203', 'C-08', '2026-09-10', '2026-09-15', 'delivered', 'USD'),
    ('A-1204', 'C-20', '2026-09-10', '2026-09-14', 'delivered', 'CNY'),
    ('A-1205', 'C-09', '2026-09-20', '2026-09-25', 'delivered', 'USD'),
    ('A-1206', 'C-21', '2026-07-28', '2026-08-01', 'delivered', 'CNY'),
    ('A-1207', 'C-24', '2026-09-09', '2026-09-13', 'delivered', 'CNY'),
    ('A-1301', 'C-03', '2026-10-04', '2026-10-09', 'delivered', 'USD'),
    ('A-1302', 'C-14', '2026-10-03', '2026-10-07', 'delivered', 'CNY'),
    ('A-1303', 'C-13', '2026-09-28', '2026-10-02', 'delivered', 'CNY'),
    ('A-1304', 'C-08', '2026-10-02', '2026-10-07', 'delivered', 'USD'),
    ('A-1305', 'C-01', '2026-10-03', '2026-10-08', 'delivered', 'USD'),
    ('A-1306', 'C-22', '2026-10-06', '2026-10-10', 'delivered', 'CNY'),
    ('A-1307', 'C-05', '2026-10-05', '2026-10-10', 'delivered', 'USD'),
    ('A-1308', 'C-25', '2026-10-05', '2026-10-09', 'delivered', 'CNY'),
    ('A-1401', 'C-06', '2026-09-29', '2026-10-04', 'delivered', 'USD'),
    ('A-1402', 'C-11', '2026-10-01', '2026-10-05', 'delivered', 'CNY'),
    ('A-1403', 'C-09', '2026-10-06', '2026-10-11', 'delivered', 'USD'),
    ('A-1404', 'C-15', '2026-10-02', '2026-10-06', 'delivered', 'CNY'),
    ('A-1405', 'C-15', '2026-10-02', '2026-10-06', 'delivered', 'CNY'),
    ('A-1406', 'C-15', '2026-10-03', '2026-10-07', 'delivered', 'CNY'),
    ('A-1407', 'C-10', '2026-10-05', '2026-10-10', 'delivered', 'USD'),
    ('A-1408', 'C-07', '2026-10-04', '2026-10-09', 'delivered', 'USD'),
    ('A-1409', 'C-17', '2026-10-08', '2026-10-12', 'delivered', 'CNY'),
    ('A-1410', 'C-26', '2026-10-02', '2026-10-07', 'delivered', 'CNY');

create table items (
    id varchar primary key, order_id varchar, name varchar, category varchar, quantity integer,
    unit_price decimal(12, 2), damaged boolean
);
insert into items values
    ('A-1001-1', 'A-1001', 'cast iron pan',    'kitchen',     1,   89.50, false),
    ('A-1001-2', 'A-1001', 'oven mitt',        'kitchen',     2,   15.25, false),
    ('A-1002-1', 'A-1002', '词典',             'books',       1,  128.00, false),
    ('A-1002-2', 'A-1002', '地图册',           'books',       1,   72.00, false),
    ('A-1003-1', 'A-1003', 'teapot',           'kitchen',     1,   40.00, false),
    ('A-1003-2', 'A-1003', 'tray',             'kitchen',     1,   60.00, false),
    ('A-1003-3', 'A-1003', 'kettle',           'kitchen',     1,  100.00, false),
    ('A-1004-1', 'A-1004', '羽绒服',           'clothing',    1,  899.00, false),
    ('A-1005-1', 'A-1005', 'train set',        'toys',        1,   75.00, false),
    ('A-1006-1', 'A-1006', 'espresso grinder', 'kitchen',     1,  500.00, false),
    ('A-1007-1', 'A-1007', '台灯',             'home',        1,  159.00, false),
    ('A-1008-1', 'A-1008', '砂锅',             'kitchen',     1,  139.00, false),
    ('A-1008-2', 'A-1008', '汤勺',             'kitchen',     2,   18.50, false),
    ('A-1009-1', 'A-1009', 'headphones',       'electronics', 1,  210.00, false),
    ('A-1009-2', 'A-1009', 'power bank',       'electronics', 2,   55.00, false),
    ('A-1101-1', 'A-1101', 'desk lamp',        'home',        1,   45.00, false),
    ('A-1101-2', 'A-1101', 'wall clock',       'home',        1,   35.00, false),
    ('A-1101-3', 'A-1101', 'rug',              'home',        1,  120.00, false),
    ('A-1102-1', 'A-1102', '保温杯',           'kitchen',     1,   88.00, false),
    ('A-1102-2', 'A-1102', '饭盒',             'kitchen',     1,   59.90, false),
    ('A-1102-3', 'A-1102', '筷子',             'kitchen',     1,   19.90, false),
    ('A-1103-1', 'A-1103', 'wool socks',       'clothing',    3,   12.40, false),
    ('A-1103-2', 'A-1103', 'scarf',            'clothing',    1,   28.00, false),
    ('A-1103-3', 'A-1103', 'winter coat',      'clothing',    1,  210.00, false),
    ('A-1104-1', 'A-1104', '蓝牙耳机',         'electronics', 1,  399.00, false),
    ('A-1104-2', 'A-1104', '充电器',           'electronics', 1,   89.00, false),
    ('A-1105-1', 'A-1105', 'mug',              'kitchen',     1,   18.00, false),
    ('A-1105-2', 'A-1105', 'kettle',           'kitchen',     1,   64.00, false),
    ('A-1105-3', 'A-1105', 'toaster',          'kitchen',     1,   88.00, false),
    ('A-1106-1', 'A-1106', '花瓶',             'outlet',      1,  156.00, true),
    ('A-1106-2', 'A-1106', '桌布',             'home',        1,   80.00, false),
    ('A-1107-1', 'A-1107', 'puzzle',           'toys',        1,   22.00, false),
    ('A-1107-2', 'A-1107', 'board game',       'toys',        1,   48.00, false),
    ('A-1108-1', 'A-1108', '杀毒软件',         'software',    1,  199.00, false),
    ('A-1108-2', 'A-1108', '键盘',             'electronics', 1,  259.00, false),
    ('A-1201-1', 'A-1201', 'marble run',       'toys',        1,   54.00, false),
    ('A-1202-1', 'A-1202', '电饭煲',           'kitchen',     1,  329.00, false),
    ('A-1203-1', 'A-1203', 'bookshelf',        'home',        1,  149.00, false),
    ('A-1204-1', 'A-1204', '画册',             'books',       1,  168.00, false),
    ('A-1205-1', 'A-1205', 'camera',           'electronics', 1,  380.00, false),
    ('A-1206-1', 'A-1206', '大衣',             'clothing',    1,  699.00, false),
    ('A-1207-1', 'A-1207', '加湿器',           'home',        1,  219.00, false),
    ('A-1301-1', 'A-1301', 'salad bowl',       'kitchen',     1,   32.00, false),
    ('A-1302-1', 'A-1302', '空气炸锅',         'kitchen',     1,  469.00, false),
    ('A-1303-1', 'A-1303', '登山包',           'clothing',    1,  359.00, false),
    ('A-1304-1', 'A-1304', 'fountain pen',     'home',        1,   58.00, false),
    ('A-1305-1', 'A-1305', 'hand mixer',       'kitchen',     1,   79.00, false),
    ('A-1306-1', 'A-1306', '平板电脑',         'electronics', 1, 1899.00, false),
    ('A-1307-1', 'A-1307', 'yoga mat',         'home',        1,   41.50, false),
    ('A-1308-1', 'A-1308', '茶壶',             'kitchen',     1,  168.00, false),
    ('A-1308-2', 'A-1308', '茶杯',             'kitchen',     4,   23.50, false),
    ('A-1308-3', 'A-1308', '茶盘',             'kitchen',     1,   75.00, false),
    ('A-1401-1', 'A-1401', 'hair dryer',       'home',        1,   65.00, false),
    ('A-1402-1', 'A-1402', '墨镜',             'outlet',      1,  259.00, false),
    ('A-1403-1', 'A-1403', 'gift card',        'giftcard',    1,  100.00, false),
    ('A-1404-1', 'A-1404', '书桌',             'home',        1, 1200.00, false),
    ('A-1405-1', 'A-1405', '地毯',             'home',        1, 1500.00, false),
    ('A-1406-1', 'A-1406', '落地灯',           'home',        1,  800.00, false),
    ('A-1407-1', 'A-1407', 'drone',            'electronics', 1,  450.00, false),
    ('A-1408-1', 'A-1408', 'side table',       'outlet',      1,   95.00, true),
    ('A-1409-1', 'A-1409', '办公软件',         'software',    1,  499.00, false),
    ('A-1410-1', 'A-1410', '沙发',             'home',        1, 2460.00, false);

create table payments (
    id varchar primary key, order_id varchar, method varchar, amount decimal(12, 2), currency varchar, paid_on date
);
insert into payments
    select 'P-' || o.id, o.id, if(o.currency = 'CNY', 'wallet', 'card'), sum(i.quantity * i.unit_price), o.currency,
           o.ordered_on
    from orders o join items i on i.order_id = o.id
    group by o.id, o.currency, o.ordered_on order by o.id;

-- The books: what the bank says, reached by its own path.
create table ledger (
    id varchar primary key, order_id varchar, kind varchar, amount decimal(12, 2), booked_on date, made_by varchar
);
insert into ledger select 'L-' || id, order_id, 'charge', amount, paid_on, 'shop' from payments order by id;

-- What the desk writes.
create table verifications (id varchar primary key, customer_id varchar, passed boolean, made_on date, made_by varchar);
create table decisions (
    id varchar primary key, order_id varchar, decision varchar, reason varchar, made_on date, made_by varchar
);
-- refunds.confirmed: an answer that was lost on the way has been cleared up since (see the tool confirm_refund).
create table refunds (
    id varchar primary key, order_id varchar, item_ids varchar, amount decimal(12, 2), currency varchar, made_on date,
    made_by varchar, confirmed boolean
);
create table declines (id varchar primary key, order_id varchar, reason varchar, made_on date, made_by varchar);
create table escalations (id varchar primary key, order_id varchar, reason varchar, made_on date, made_by varchar);
create table receipts (id varchar primary key, order_id varchar, refund_id varchar, made_on date, made_by varchar);
create table notes (id varchar primary key, order_id varchar, author varchar, text varchar, made_on date);
