import { newUuid, type Principal } from '@ams/contracts';
import { createTestDatabase, insertApiKey, type MigratedDatabase } from '@ams/testing';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Database } from './database.js';
import { selectOf } from './select-of.js';

@Entity({ schema: 'auth', name: 'members' })
class Person {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid', { name: 'organization_id' }) organizationId!: string;
  @Column('text') name!: string;
  @Column('text', { select: false }) email!: string;
  @Column('text') role!: string;
  @Column('text') status!: string;
}

let own: MigratedDatabase;
let database: Database;
let principal: Principal;
beforeAll(async () => {
  own = await createTestDatabase();
  database = await Database.open({ service: 'auth', url: own.urls.auth, poolSize: 4, entities: [Person] });
  ({ principal } = await insertApiKey(own.admin));
});
afterAll(async () => {
  await database?.close();
  await own?.drop();
});

const newPerson = (): Person => {
  const id = newUuid();
  const { organizationId } = principal;
  return { id, organizationId, name: 'Mira', email: `${id}@example.com`, role: 'viewer', status: 'active' };
};
const find = (id: string): Promise<Person | null> =>
  database.readAs(principal, (tx) => tx.repository(Person).findOneBy({ id, organizationId: principal.organizationId }));

describe('records', () => {
  it('are written in the transaction of the principal, and show only its own tenant', async () => {
    const [mine, foreign] = [newPerson(), { ...newPerson(), organizationId: newUuid() }];
    await database.writeAs(principal, (tx) => tx.repository(Person).insert(mine));
    expect(await find(mine.id)).toEqual({ ...mine, email: undefined });
    const insertForeign = database.writeAs(principal, (tx) => tx.repository(Person).insert(foreign));
    await expect(insertForeign).rejects.toThrow(/row-level security/);
  });

  it('are not written when the transaction fails', async () => {
    const person = newPerson();
    const failing = database.writeAs(principal, async (tx) => {
      await tx.repository(Person).insert(person);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await find(person.id)).toBeNull();
  });

  it('can be locked until the transaction ends', async () => {
    const person = newPerson();
    await database.writeAs(principal, (tx) => tx.repository(Person).insert(person));
    const order: string[] = [];
    const change = (name: string): Promise<void> =>
      database.writeAs(principal, async (tx) => {
        const locked = await tx
          .repository(Person)
          .createQueryBuilder('p')
          .setLock('pessimistic_write')
          .where({ id: person.id, organizationId: principal.organizationId })
          .getOneOrFail();
        order.push(`${name} reads ${locked.name}`);
        await tx.repository(Person).update({ id: person.id, organizationId: principal.organizationId }, { name });
      });
    await Promise.all([change('A'), change('B')]);
    const [first] = order[0]?.split(' ') ?? [];
    expect(order[1]).toBe(`${first === 'A' ? 'B' : 'A'} reads ${first}`);
  });
});

it('selects the columns of an entity by its properties', async () => {
  const person = newPerson();
  const rows = await database.writeAs(principal, async (tx) => {
    await tx.repository(Person).insert(person);
    return tx.query(`SELECT ${selectOf(tx, Person, 'p')} FROM auth.members p WHERE id = $1`, [person.id]);
  });
  const { email: _hidden, ...shown } = person;
  expect(rows).toEqual([shown]);
});
