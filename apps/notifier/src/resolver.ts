/**
 * From names to addresses. The names of members' targets are asked of DNS alone: that needs none of the few threads that
 * Node keeps for the resolver of the machine, so a name that is slow to resolve holds up nobody else. Names that the
 * operator allows are resolved as the machine does it, with its hosts file and search list.
 */
import { promises as dns } from 'node:dns';

/** The addresses of a name, all of them; none when there is no such name. Rejects with an error that has a `code`. */
export type Resolve = (name: string) => Promise<string[]>;

/** A name may well have addresses of one family only. */
const none = new Set(['ENODATA', 'ENOTFOUND']);

/** By a resolver that asks name servers itself. */
export const byDns =
  (resolver: dns.Resolver): Resolve =>
  async (name) => {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    const failure = answers.find(
      (answer) => answer.status === 'rejected' && !none.has((answer.reason as NodeJS.ErrnoException).code ?? ''),
    );
    if (addresses.length === 0 && failure?.status === 'rejected') throw failure.reason;
    return addresses;
  };

export const resolveInDns = byDns(new dns.Resolver({ timeout: 2000, tries: 2 }));

export const resolveHere: Resolve = async (name) =>
  (await dns.lookup(name, { all: true })).map(({ address }) => address);
