/**
 * Resolves names to addresses. Names of members' targets are resolved only by DNS queries. These do not use the few
 * threads that Node has for the resolver of the operating system, so a slow name does not delay other names.
 * Names that the operator allows are resolved by the operating system, with its hosts file and search list.
 */
import { Injectable } from '@nestjs/common';
import { promises as dns } from 'node:dns';

@Injectable()
export class Resolver {
  private readonly dns = new dns.Resolver({ timeout: 2000, tries: 2 });

  /** All addresses of a name; none when there is no such name. Rejects with an error that has a `code`. */
  inDns(name: string): Promise<string[]> {
    return queryDns(this.dns, name);
  }

  /** The TXT records of a name, each in its parts; none when there is no such name. Rejects as `inDns`. */
  texts(name: string): Promise<string[][]> {
    return queryTexts(this.dns, name);
  }

  async onThisMachine(name: string): Promise<string[]> {
    return (await dns.lookup(name, { all: true })).map(({ address }) => address);
  }
}

/** A name may have records of some types only. */
const noSuchRecord = new Set(['ENODATA', 'ENOTFOUND']);

export async function queryDns(resolver: dns.Resolver, name: string): Promise<string[]> {
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  const failure = answers.find(
    (answer) => answer.status === 'rejected' && !noSuchRecord.has((answer.reason as NodeJS.ErrnoException).code ?? ''),
  );
  if (addresses.length === 0 && failure?.status === 'rejected') throw failure.reason;
  return addresses;
}

export async function queryTexts(resolver: dns.Resolver, name: string): Promise<string[][]> {
  try {
    return await resolver.resolveTxt(name);
  } catch (error) {
    if (noSuchRecord.has((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}
