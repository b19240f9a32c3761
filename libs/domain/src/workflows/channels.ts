/**
 * The channels of notifications. Types, the OpenAPI document and checks follow from these lists. A further chat needs
 * three changes: its name here, a migration for the check of `workflows.notifications`, and a sender in the notifier.
 */

/** A channel of a person: the address, or the browser, belongs to the member. */
export const personalChannels = ['email', 'push'] as const;

/** Chats, each reached by the URL of an incoming webhook. */
export const chatChannels = ['slack', 'teams', 'mattermost', 'discord'] as const;

/** Channels that a workflow targets by a URL. */
export const urlChannels = [...chatChannels, 'webhook'] as const;

export const channels = [...personalChannels, ...urlChannels] as const;

export type PersonalChannel = (typeof personalChannels)[number];
export type ChatChannel = (typeof chatChannels)[number];
export type UrlChannel = (typeof urlChannels)[number];
export type Channel = (typeof channels)[number];
