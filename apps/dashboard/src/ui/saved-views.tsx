/** The filters of a list under a name: to open, save, change and delete. */
import { Button, Menu } from '@mantine/core';
import { BookmarkIcon, CheckIcon, PlusIcon, TrashIcon, UpdateIcon } from '@radix-ui/react-icons';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { all } from '../api/queries.js';
import { useAct } from '../api/use-act.js';
import type { Body, Item } from '../api/operation-types.js';
import { useSession } from '../app/session.js';
import { texts } from '../texts/texts.js';
import { useConfirm } from './confirm.js';
import { notifyDone, notifyFailed } from './notify.js';
import { SaveViewForm } from './save-view-form.js';
import styles from './saved-views.module.css';

export type View = Item<'listViews'>;
export type ViewQuery = View['query'];
export type ViewPage = Body<'createView'>['page'];

export interface SavedViewsProps {
  page: ViewPage;
  /** The present filters of the address. */
  query: ViewQuery;
  onOpen: (query: ViewQuery) => void;
}

const said = texts.ui.views;
const textOf = (query: ViewQuery): string => JSON.stringify(Object.entries(query).sort(([a], [b]) => (a < b ? -1 : 1)));

export function SavedViews({ page, query, onOpen }: SavedViewsProps) {
  const { member } = useSession();
  const [isSaving, setIsSaving] = useState(false);
  const [ask, dialog] = useConfirm();
  const views = useQuery(all('listViews', { page: [page] }));
  const update = useAct('updateView', {
    changes: ['listViews'],
    onSuccess: ({ data }) => notifyDone(said.saved(data.name)),
    onError: (error) => notifyFailed(said.saveFailed, error),
  });
  const remove = useAct('deleteView', { changes: ['listViews'] });
  const removeView = ({ id, name, version }: View): void =>
    remove.mutate(
      { path: { id }, ifVersion: version },
      {
        onSuccess: () => notifyDone(said.removed(name)),
        onError: (error) => notifyFailed(said.removeFailed(name), error),
      },
    );
  const present = views.data?.find((view) => textOf(view.query) === textOf(query));
  const own = views.data?.filter(({ ownerId }) => ownerId === member.id) ?? [];
  const hasFilters = Object.keys(query).length > 0;
  return (
    <>
      <Menu position="bottom-start" width={280} withinPortal>
        <Menu.Target>
          <Button variant="default" leftSection={<BookmarkIcon aria-hidden />} className={styles.button}>
            <bdi className={styles.name}>{present?.name ?? said.title}</bdi>
          </Button>
        </Menu.Target>
        <Menu.Dropdown className={styles.menu}>
          {views.isSuccess && views.data.length === 0 && <Menu.Label>{said.none}</Menu.Label>}
          {views.data?.map((view) => (
            <Menu.Item
              key={view.id}
              leftSection={view === present ? <CheckIcon aria-hidden /> : <span className={styles.blank} />}
              rightSection={<span className={styles.who}>{said[view.visibility]}</span>}
              onClick={() => onOpen(view.query)}
            >
              <bdi>{view.name}</bdi>
            </Menu.Item>
          ))}
          <Menu.Divider />
          {hasFilters && present === undefined && (
            <Menu.Item leftSection={<PlusIcon aria-hidden />} onClick={() => setIsSaving(true)}>
              {said.save}
            </Menu.Item>
          )}
          {hasFilters &&
            present === undefined &&
            own.map((view) => (
              <Menu.Item
                key={view.id}
                leftSection={<UpdateIcon aria-hidden />}
                onClick={() => update.mutate({ path: { id: view.id }, body: { query }, ifVersion: view.version })}
              >
                <bdi>{said.update(view.name)}</bdi>
              </Menu.Item>
            ))}
          {present !== undefined && present.ownerId === member.id && (
            <Menu.Item
              color="red"
              leftSection={<TrashIcon aria-hidden />}
              onClick={() =>
                ask({
                  title: said.remove(present.name),
                  text: present.visibility === 'own' ? undefined : said.removeText,
                  action: texts.ui.delete,
                  run: () => removeView(present),
                })
              }
            >
              <bdi>{said.remove(present.name)}</bdi>
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {isSaving && <SaveViewForm page={page} query={query} onClose={() => setIsSaving(false)} />}
      {dialog}
    </>
  );
}
