import fc from 'fast-check';
import { mayConnect, parseAllowList } from './public-address.js';

const nothing = parseAllowList('');

test.each([
  '8.8.8.8',
  '1.1.1.1',
  '93.184.216.34',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '100.63.255.255',
  '100.128.0.0',
  '169.253.255.255',
  '223.255.255.255',
  '11.0.0.0',
  '9.255.255.255',
  '126.255.255.255',
  '128.0.0.0',
  '2606:4700:4700::1111',
  '2a00:1450:4001:82a::200e',
  '2001:4860:4860::8888',
  '::ffff:8.8.8.8',
  '64:ff9b::8.8.8.8',
])('%s is public', (address) => expect(mayConnect(address, nothing)).toBe(true));

test.each([
  // IPv4: unspecified, private, shared, loopback, link-local (metadata of clouds), test nets, benchmarks, multicast,
  // reserved, broadcast
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '10.255.255.255',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '100.64.0.1',
  '100.100.100.200',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '169.254.0.1',
  '192.0.0.1',
  '192.0.0.192',
  '192.0.2.1',
  '192.88.99.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '168.63.129.16',
  // IPv6: unspecified, loopback, link-local, site-local, unique local, multicast, documentation, discard, and whatever
  // is not global unicast
  '::',
  '::1',
  'fe80::1',
  'fe80::1%eth0',
  'febf::1',
  'fec0::1',
  'fc00::1',
  'fd00:ec2::254',
  'ff02::1',
  'ff0e::1',
  '2001:db8::1',
  '3fff::1',
  '100::1',
  '4000::1',
  '8000::1',
  'e000::1',
  '5f00::1',
  '2001:10::1',
  '2001:20::1',
  '2001:2::1',
  // IPv4 within IPv6: mapped, compatible, translated (RFC 6052, 6145, 8215), 6to4, Teredo
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:10.0.0.1',
  '::ffff:a9fe:a9fe',
  '::127.0.0.1',
  '::7f00:1',
  '::8.8.8.8',
  '::ffff:0:127.0.0.1',
  '64:ff9b::127.0.0.1',
  '64:ff9b::a00:1',
  '64:ff9b:1::10.0.0.1',
  '64:ff9b:1::808:808',
  '2002:7f00:1::',
  '2002:a00:1::1',
  '2002:808:808::',
  '2001::1',
  '2001:0:7f00:1::',
  // not an address
  '',
  'localhost',
  'example.com',
  '127.0.0.1:80',
  '[::1]',
  '1.2.3.4.5',
  'garbage',
])('%s is not', (address) => expect(mayConnect(address, nothing)).toBe(false));

describe('what the operator allows', () => {
  const allowed = parseAllowList(
    ' 10.0.0.0/8, 192.168.1.5 ,fd00::/8,::1, Hooks.Internal., bücher.example,localhost,my_host ',
  );

  test('is read as networks, addresses and names', () => {
    expect(allowed.faults).toEqual([]);
    expect([...allowed.hosts]).toEqual(['hooks.internal', 'xn--bcher-kva.example', 'localhost', 'my_host']);
    expect(allowed.ranges.map(([base, bits]) => `${base.toString()}/${bits}`)).toEqual([
      '10.0.0.0/8',
      '192.168.1.5/32',
      'fd00::/8',
      '::1/128',
    ]);
  });

  test.each([
    ['10.1.2.3', true],
    ['::ffff:10.1.2.3', true],
    ['64:ff9b::10.1.2.3', true],
    ['192.168.1.5', true],
    ['fd12::1', true],
    ['::1', true],
    ['8.8.8.8', true],
    ['192.168.1.6', false],
    ['11.0.0.1', true],
    ['127.0.0.1', false],
    ['fc00::1', false],
    ['::10.1.2.3', false],
    ['2002:a01:203::', false],
  ])('%s: %s', (address, may) => expect(mayConnect(address, allowed)).toBe(may));

  test.each([
    '10.0.0.0/33',
    '10.0.0',
    '10.1',
    '0x7f000001',
    '2130706433',
    'http://hooks.internal',
    'hooks.internal:80',
    '*.internal',
    'a b',
    '-x',
    'x/8',
    '::1/129',
    '[::1]',
    'user@host',
  ])('%s is not allowed in the list', (text) => {
    expect(parseAllowList(`10.0.0.0/8,${text}`).faults).toEqual([text]);
  });
});

test('the result for an IPv4 address is the same in every IPv6 form of it', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      expect(mayConnect(`::ffff:${address}`, nothing)).toBe(mayConnect(address, nothing));
      expect(mayConnect(`64:ff9b::${address}`, nothing)).toBe(mayConnect(address, nothing));
      expect(mayConnect(`::${address}`, nothing)).toBe(false);
    }),
  );
});
