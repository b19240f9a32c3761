import fc from 'fast-check';
import { networkOf } from './network-address.js';

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['64:ff9b::192.0.2.33', '64:ff9b:0:0::/64'],
  [null, 'unknown'],
])('%s is in %s', (address, network) => expect(networkOf(address)).toBe(network));

test('addresses of one /64 are one network, and those of two are two', () => {
  const group = fc.integer({ min: 1, max: 0xffff }).map((value) => value.toString(16));
  const half = fc.array(group, { minLength: 4, maxLength: 4 }).map((groups) => groups.join(':'));
  fc.assert(
    fc.property(half, half, half, half, (network, other, host, otherHost) => {
      expect(networkOf(`${network}:${host}`)).toBe(networkOf(`${network}:${otherHost}`));
      expect(networkOf(`${network}:${host}`) === networkOf(`${other}:${host}`)).toBe(network === other);
    }),
  );
});
