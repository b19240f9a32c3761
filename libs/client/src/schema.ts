/** The types of the v1 API, made of docs/openapi.json by tools/generate-docs.mjs. */
export interface paths {
    "/alerts/{id}/acknowledge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Acknowledge an alert
         * @description Says that somebody is on it. An alert that is acknowledged already stays as it is, with its first actor; one that is resolved answers 409.
         *
         *     Scope: `alerts:write`
         */
        post: operations["acknowledgeAlert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alerts/{id}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resolve an alert
         * @description Closes the alert. The next firing event of its fingerprint opens a new one. An alert that is resolved already stays as it is.
         *
         *     Scope: `alerts:write`
         */
        post: operations["resolveAlert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alerts/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Acknowledge or resolve many alerts
         * @description By `ids` (1 to 250) or by `filter` (at most 1,000 alerts). One bad id does not stop the others: each has a result of its own.
         *
         *     Scope: `alerts:write`
         */
        post: operations["bulkAlerts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/incidents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List incidents
         * @description Newest first unless `sort` says otherwise.
         *
         *     Scope: `incidents:read`
         */
        get: operations["listIncidents"];
        put?: never;
        /**
         * Open an incident
         * @description By hand, with the alerts that belong to it. Workflows open incidents by themselves. An alert that is in another open incident answers 409 `CONFLICT`.
         *
         *     Scope: `incidents:write`
         */
        post: operations["createIncident"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/incidents/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an incident
         * @description One incident.
         *
         *     Scope: `incidents:read`
         */
        get: operations["getIncident"];
        /**
         * Update an incident
         * @description Status, assignment, severity, words. Acknowledging acknowledges its firing alerts; resolving resolves its open alerts when `resolveAlerts` is true. The status that it has already changes nothing: the first actor stays.
         *
         *     Scope: `incidents:write`
         */
        put: operations["updateIncident"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description The keys of the environment that are not revoked. Key values are never in it.
         *
         *     Scope: `api_keys:read`
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key
         * @description Answers the key: this once. A key cannot make one with a scope that it lacks. Ten a day and organization.
         *
         *     Scope: `api_keys:write`
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description At once, on every replica: requests of that key that are being served answer 401.
         *
         *     Scope: `api_keys:write`
         */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the audit log
         * @description Newest first. Each use of an API key is one entry of the type `api_key.used`.
         *
         *     Scope: `audit:read`
         */
        get: operations["listAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List alerts
         * @description The alerts of the organization in the environment of the key, newest occurrence first unless `sort` says otherwise. Filters take comma-separated values as or; different filters are and.
         *
         *     Scope: `alerts:read`
         */
        get: operations["listAlerts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alerts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an alert
         * @description One alert.
         *
         *     Scope: `alerts:read`
         */
        get: operations["getAlert"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alerts/{id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the timeline of an alert
         * @description Every change of the alert in the order in which it happened: what, by whom, why, before and after.
         *
         *     Scope: `alerts:read`
         */
        get: operations["getAlertTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/incidents/{id}/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the alerts of an incident
         * @description Newest occurrence first.
         *
         *     Scope: `incidents:read`
         */
        get: operations["listIncidentAlerts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/incidents/{id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the timeline of an incident
         * @description Every change of the incident in the order in which it happened: what, by whom, why, before and after.
         *
         *     Scope: `incidents:read`
         */
        get: operations["getIncidentTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/integrations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List integrations
         * @description The senders of the environment of the key. Tokens are never in it.
         *
         *     Scope: `integrations:read`
         */
        get: operations["listIntegrations"];
        put?: never;
        /**
         * Create an integration
         * @description Answers the ingest URL and its token: this once.
         *
         *     Scope: `integrations:write`
         */
        post: operations["createIntegration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/integrations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an integration
         * @description One integration, its token masked.
         *
         *     Scope: `integrations:read`
         */
        get: operations["getIntegration"];
        /**
         * Update an integration
         * @description Changes what is sent and keeps the rest; `null` clears. The type stays what it was.
         *
         *     Scope: `integrations:write`
         */
        put: operations["updateIntegration"];
        post?: never;
        /**
         * Delete an integration
         * @description Its token stops working at once. Its alerts stay. One with open alerts answers 409.
         *
         *     Scope: `integrations:write`
         */
        delete: operations["deleteIntegration"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/integrations/{id}/rotate-token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give an integration a new token
         * @description The old one stops at once, or after `graceSeconds`.
         *
         *     Scope: `integrations:write`
         */
        post: operations["rotateIntegrationToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/integrations/{id}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * See what a payload would become
         * @description Maps without storing and says, per field, where its value came from.
         *
         *     Scope: `integrations:read`
         */
        post: operations["previewIntegration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/integrations/{id}/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the last requests of an integration
         * @description The last 100 requests of the sender (7 days at most), newest first, with the result of each.
         *
         *     Scope: `integrations:read`
         */
        get: operations["listIntegrationRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/integrations/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the last requests of an integration
         * @deprecated
         * @description The last 100 requests of the sender (7 days at most), newest first, with the result of each.
         *
         *     Deprecated since 2026-11-22: use `GET /integrations/{id}/requests`. It will be removed after 2027-11-22.
         *
         *     Scope: `integrations:read`
         */
        get: operations["listIntegrationDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clients": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List clients
         * @description The clients in the environment of the key, by name unless `sort` says otherwise.
         *
         *     Scope: `clients:read`
         */
        get: operations["listClients"];
        put?: never;
        /**
         * Create a client
         * @description Slug, external id and aliases are names by which the label `client` of an alert finds it, in any case. A name that another client has answers 409 `CONFLICT`.
         *
         *     Scope: `clients:write`
         */
        post: operations["createClient"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clients/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a client
         * @description One client, and how many open alerts are about it.
         *
         *     Scope: `clients:read`
         */
        get: operations["getClient"];
        /**
         * Update a client
         * @description Changes what is sent and keeps the rest; `null` clears. Alerts keep their client whatever it is called now.
         *
         *     Scope: `clients:write`
         */
        put: operations["updateClient"];
        post?: never;
        /**
         * Delete a client
         * @description One with open alerts or incidents, or that an integration or a suppression window names, answers 409 with what uses it. What is resolved already stays, without a client.
         *
         *     Scope: `clients:write`
         */
        delete: operations["deleteClient"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List workflows
         * @description The workflows in the environment of the key, by name unless `sort` says otherwise.
         *
         *     Scope: `workflows:read`
         */
        get: operations["listWorkflows"];
        put?: never;
        /**
         * Create a workflow
         * @description A trigger, conditions over the alert or incident, and steps that run in order. Faults name the node or the parameter.
         *
         *     Scope: `workflows:write`
         */
        post: operations["createWorkflow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a workflow
         * @description One workflow.
         *
         *     Scope: `workflows:read`
         */
        get: operations["getWorkflow"];
        /**
         * Update a workflow
         * @description Changes what is sent and keeps the rest; `null` clears. `steps` replaces all of them.
         *
         *     Scope: `workflows:write`
         */
        put: operations["updateWorkflow"];
        post?: never;
        /**
         * Delete a workflow
         * @description What it has opened stays, and no longer names it.
         *
         *     Scope: `workflows:write`
         */
        delete: operations["deleteWorkflow"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{id}/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enable a workflow
         * @description One that is enabled already stays as it is.
         *
         *     Scope: `workflows:write`
         */
        post: operations["enableWorkflow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{id}/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Disable a workflow
         * @description No event triggers it any more. One that is disabled already stays as it is.
         *
         *     Scope: `workflows:write`
         */
        post: operations["disableWorkflow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/integrations/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try changed settings on the payloads that came
         * @description Maps the kept payloads with the settings as they are and as they would be, each as the API that it came by does (our webhook, PagerDuty's, Opsgenie's), and answers the difference; with `dryRun: false` the settings are then saved.
         *
         *     Scope: `integrations:write`
         */
        post: operations["replayIntegration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List schedules
         * @description The schedules in the environment of the key, by name unless `sort` says otherwise.
         *
         *     Scope: `schedules:read`
         */
        get: operations["listSchedules"];
        put?: never;
        /**
         * Create a schedule
         * @description Hand-offs are wall-clock times in the zone of the schedule, also when clocks change: a time that does not exist moves forward, and of one that exists twice the first counts.
         *
         *     Scope: `schedules:write`
         */
        post: operations["createSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/schedules/current-oncall": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get who is on call
         * @description An entry for each schedule: who is on call at an instant, by what, until when, and who comes next.
         *
         *     Scope: `schedules:read`
         */
        get: operations["getCurrentOnCall"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/schedules/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a schedule
         * @description One schedule, its layers and the overrides that have not ended.
         *
         *     Scope: `schedules:read`
         */
        get: operations["getSchedule"];
        /**
         * Update a schedule
         * @description Changes what is sent and keeps the rest; `null` clears. `layers` replaces all of them. Overrides have operations of their own.
         *
         *     Scope: `schedules:write`
         */
        put: operations["updateSchedule"];
        post?: never;
        /**
         * Delete a schedule
         * @description One that a workflow uses answers 409 with the workflows.
         *
         *     Scope: `schedules:write`
         */
        delete: operations["deleteSchedule"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/schedules/{id}/overrides": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Override a schedule
         * @description From `startsAt` to `endsAt` this member is on call, whatever the layers and older overrides say.
         *
         *     Scope: `schedules:write`
         */
        post: operations["createScheduleOverride"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/schedules/{id}/overrides/{overrideId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete an override
         * @description What the layers and older overrides say counts again.
         *
         *     Scope: `schedules:write`
         */
        delete: operations["deleteScheduleOverride"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/schedules/{id}/shifts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the shifts of a schedule
         * @description The final shifts of a range, layers and overrides taken together, and the gaps between them. Shifts and gaps are cut at the ends of the range.
         *
         *     Scope: `schedules:read`
         */
        get: operations["getScheduleShifts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/suppression": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List suppression windows
         * @description Newest first unless `sort` says otherwise.
         *
         *     Scope: `suppression:read`
         */
        get: operations["listSuppressionWindows"];
        put?: never;
        /**
         * Create a suppression window
         * @description Once (`startsAt`, `endsAt`) or recurring (`rrule`, `durationSeconds`). While it is active, new alerts that match are suppressed, and when it begins so are the open firing ones. An alert under several windows stays suppressed until the last one ends.
         *
         *     Scope: `suppression:write`
         */
        post: operations["createSuppressionWindow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/suppression/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * See what a window would hide
         * @description Which open firing alerts a window with this scope would make quiet if it began now. Nothing is stored.
         *
         *     Scope: `suppression:read`
         */
        post: operations["previewSuppressionWindow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/suppression/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a suppression window
         * @description One window.
         *
         *     Scope: `suppression:read`
         */
        get: operations["getSuppressionWindow"];
        /**
         * Update a suppression window
         * @description Changes what is sent and keeps the rest; `null` clears. It counts at once: alerts that an active window no longer matches resume, and firing ones that it matches now become quiet.
         *
         *     Scope: `suppression:write`
         */
        put: operations["updateSuppressionWindow"];
        post?: never;
        /**
         * Delete a suppression window
         * @description The alerts that it hides resume, unless another window hides them.
         *
         *     Scope: `suppression:write`
         */
        delete: operations["deleteSuppressionWindow"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List organization members
         * @description The people of the organization, by name unless `sort` says otherwise, and whether each is on call now.
         *
         *     Scope: `users:read`
         */
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the runs of a workflow
         * @description Newest first: what triggered each, what every node of the conditions said, and what became of every step.
         *
         *     Scope: `workflows:read`
         */
        get: operations["listWorkflowRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try a workflow
         * @description A dry run against an alert, an incident or a payload: which conditions hold, node by node, and what would be done. A payload is decided as if it came now: the alert that it would open or meet, with the suppression windows. Nothing is changed and nobody is told.
         *
         *     Scope: `workflows:read`
         */
        post: operations["testWorkflow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List notifications
         * @description Newest first: who was told of what by which channel, what is on its way, what failed and why, and who was not told.
         *
         *     Scope: `alerts:read`
         */
        get: operations["listNotifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notifications/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a notification
         * @description What became of one message: whether it was sent, how often that was tried, and when it is tried next.
         *
         *     Scope: `alerts:read`
         */
        get: operations["getNotification"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notifications/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test message
         * @description Sends a test message to the target. The answer is the new notification; `GET /notifications/{id}` shows its result.
         *
         *     Scope: `workflows:write`
         */
        post: operations["sendTestNotification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List notifications
         * @deprecated
         * @description Newest first: who was told of what by which channel, what is on its way, what failed and why, and who was not told.
         *
         *     Deprecated since 2026-11-22: use `GET /notifications`. It will be removed after 2027-11-22.
         *
         *     Scope: `alerts:read`
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deliveries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a notification
         * @deprecated
         * @description What became of one message: whether it was sent, how often that was tried, and when it is tried next.
         *
         *     Deprecated since 2026-11-22: use `GET /notifications/{id}`. It will be removed after 2027-11-22.
         *
         *     Scope: `alerts:read`
         */
        get: operations["getDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deliveries/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test message
         * @deprecated
         * @description Sends a test message to the target. The answer is the new notification; `GET /notifications/{id}` shows its result.
         *
         *     Deprecated since 2026-11-22: use `POST /notifications/test`. It will be removed after 2027-11-22.
         *
         *     Scope: `workflows:write`
         */
        post: operations["sendTestDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alerts/{id}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Explain an alert
         * @description Every decision about it and why, as it was recorded when it was made: mapping, fingerprint, windows, workflows, who was on call, what was sent and what not.
         *
         *     Scope: `alerts:read`
         */
        get: operations["explainAlert"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/simulate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Simulate a payload
         * @description The whole path without effects: mapping, deduplication, windows, workflows, who would be told; then what the steps of those workflows and the resolving of alerts would bring about, up to the guard against loops. Decided by the same functions as the real path, as if nobody did anything meanwhile.
         *
         *     Scope: `workflows:read`
         */
        post: operations["simulate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get this document
         * @description The OpenAPI 3.0.3 document of the API. It is public at `/api/docs/openapi.json`.
         *
         *     Scope: none; any valid key will do.
         */
        get: operations["getOpenApiDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description Acknowledges the alert. */
        AcknowledgeStep: {
            /** @description Unique in the workflow. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "acknowledge";
            params?: Record<string, never>;
            /** @description Waits before the step, also over a restart of the service. */
            delaySeconds?: number;
            /** @description Skips the step when the alert or the incident is in one of these states by then. */
            unless?: ("acknowledged" | "resolved")[];
            /** @description Go on with the next step when this one fails. */
            continueOnError?: boolean;
        };
        Actor: {
            /** @enum {string} */
            type: "user" | "api_key" | "workflow" | "integration" | "service";
            id: string | null;
            name: string;
        };
        /** @description Adds labels to the alert. */
        AddLabelsStep: {
            /** @description Unique in the workflow. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "addLabels";
            params: {
                labels: {
                    [key: string]: string;
                };
            };
            /** @description Waits before the step, also over a restart of the service. */
            delaySeconds?: number;
            /** @description Skips the step when the alert or the incident is in one of these states by then. */
            unless?: ("acknowledged" | "resolved")[];
            /** @description Go on with the next step when this one fails. */
            continueOnError?: boolean;
        };
        Alert: {
            id: string;
            title: string;
            description: string | null;
            severity: components["schemas"]["Severity"];
            status: components["schemas"]["AlertStatus"];
            /** @description The system the alert came from. */
            source: string | null;
            /** @description What makes two events the same alert. */
            fingerprint: string;
            /**
             * @description Sent by the sender, or made of title and source.
             * @enum {string}
             */
            fingerprintSource: "explicit" | "generated";
            labels: {
                [key: string]: string;
            };
            annotations: {
                [key: string]: string;
            };
            clientId: string | null;
            integrationId: string;
            incidentId: string | null;
            assigneeId: string | null;
            /** Format: date-time */
            firstOccurredAt: string;
            /** Format: date-time */
            lastOccurredAt: string;
            occurrenceCount: number;
            /** @description The alert of the same fingerprint that was resolved before this one opened. */
            previousAlertId: string | null;
            /** Format: date-time */
            acknowledgedAt: string | null;
            acknowledgedBy: components["schemas"]["Actor"] | (never | null);
            /** Format: date-time */
            resolvedAt: string | null;
            resolvedBy: components["schemas"]["Actor"] | (never | null);
            /** @enum {string|null} */
            resolveReason: "ingest" | "api" | "workflow" | "incident" | "timeout" | null;
            suppression: components["schemas"]["Suppression"] | (never | null);
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            version: number;
        };
        AlertFilter: {
            /**
             * @description Only alerts in one of these states.
             * @example [
             *       "firing",
             *       "acknowledged"
             *     ]
             */
            status?: ("firing" | "resolved" | "acknowledged" | "suppressed")[];
            /**
             * @description Only alerts of one of these severities.
             * @example [
             *       "critical",
             *       "high"
             *     ]
             */
            severity?: ("critical" | "high" | "medium" | "low" | "info")[];
            /**
             * @description Only alerts from one of these systems.
             * @example [
             *       "prometheus"
             *     ]
             */
            source?: string[];
            /**
             * @description Only alerts with one of these fingerprints.
             * @example [
             *       "cpu-web-01"
             *     ]
             */
            fingerprint?: string[];
            /**
             * @description Only alerts about one of these clients.
             * @example [
             *       "cli_01938f3a7c2e7d4ab1c2d3e4f5060020"
             *     ]
             */
            clientId?: string[];
            /**
             * @description Only alerts from one of these integrations.
             * @example [
             *       "int_01938f3a7c2e7d4ab1c2d3e4f5060001"
             *     ]
             */
            integrationId?: string[];
            /**
             * @description Only alerts in one of these incidents.
             * @example [
             *       "inc_01938f3a7c2e7d4ab1c2d3e4f5060040"
             *     ]
             */
            incidentId?: string[];
            /**
             * @description Only alerts that one of these members works on.
             * @example [
             *       "usr_01938f3a7c2e7d4ab1c2d3e4f5060030"
             *     ]
             */
            assigneeId?: string[];
            /**
             * @description `key:value`, repeatable: an alert has to carry all of them. A value may hold commas and colons.
             * @example [
             *       "region:eu"
             *     ]
             */
            label?: string[];
            /**
             * @description Text that occurs in the title, in any case.
             * @example cpu
             */
            q?: string;
            /**
             * Format: date-time
             * @description Only alerts whose last occurrence is at or after this time.
             * @example 2026-11-20T14:00:00Z
             */
            since?: string;
            /**
             * Format: date-time
             * @description Only alerts whose last occurrence is before this time.
             * @example 2026-11-20T14:00:00Z
             */
            until?: string;
        };
        AlertNote: {
            /** @description Kept in the timeline. */
            note?: string | null;
        };
        /** @enum {string} */
        AlertStatus: "firing" | "resolved" | "acknowledged" | "suppressed";
        ApiKey: {
            id: string;
            name: string;
            scopes: components["schemas"]["Scope"][];
            /** @enum {string} */
            environment: "live" | "test";
            /** @description The first characters of the key, to tell keys apart. */
            keyPrefix: string;
            /**
             * Format: date-time
             * @description From this time on the key answers 401.
             */
            expiry: string | null;
            /** Format: date-time */
            lastUsedAt: string | null;
            createdBy: components["schemas"]["Actor"];
            /** Format: date-time */
            createdAt: string;
        };
        ApiKeyWithSecret: {
            id: string;
            name: string;
            scopes: components["schemas"]["Scope"][];
            /** @enum {string} */
            environment: "live" | "test";
            /** @description The first characters of the key, to tell keys apart. */
            keyPrefix: string;
            /**
             * Format: date-time
             * @description From this time on the key answers 401.
             */
            expiry: string | null;
            /** Format: date-time */
            lastUsedAt: string | null;
            createdBy: components["schemas"]["Actor"];
            /** Format: date-time */
            createdAt: string;
            /** @description The key: shown now and never again. */
            key: string;
        };
        /** @description Makes a member, or whoever is on call, the assignee. */
        AssignStep: {
            /** @description Unique in the workflow. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "assign";
            params: {
                /** @description The id of a member. */
                userId: string;
            } | {
                /** @description The id of a schedule. */
                scheduleId: string;
            };
            /** @description Waits before the step, also over a restart of the service. */
            delaySeconds?: number;
            /** @description Skips the step when the alert or the incident is in one of these states by then. */
            unless?: ("acknowledged" | "resolved")[];
            /** @description Go on with the next step when this one fails. */
            continueOnError?: boolean;
        };
        AuditEntry: {
            id: string;
            /** @description `api_key.used`, `api_key.created`, `integration.updated`, `alert.acknowledged`, … */
            type: string;
            /** Format: date-time */
            occurredAt: string;
            actor: components["schemas"]["Actor"];
            ip: string | null;
            userAgent: string | null;
            requestId: string | null;
            resource: components["schemas"]["AuditResource"] | (never | null);
            changes: components["schemas"]["Change"][];
        };
        AuditResource: {
            type: string;
            id: string | null;
        };
        BulkAlerts: {
            /** @enum {string} */
            action: "acknowledge" | "resolve";
            /** @description The alerts, by id. Either this or `filter`. */
            ids?: string[];
            /** @description The alerts, by the filters of the list; at most 1000 alerts. Either this or `ids`. */
            filter?: components["schemas"]["AlertFilter"];
            note?: string | null;
        };
        BulkError: {
            error: string;
            code: string;
            details: unknown;
        };
        BulkItem: {
            id: string;
            ok: boolean;
            /** @description False when the alert was in that state already. */
            changed: boolean;
            /**
             * @description The status now; null when there is no such alert.
             * @enum {string|null}
             */
            status: "firing" | "resolved" | "acknowledged" | "suppressed" | null;
            error: components["schemas"]["BulkError"] | (never | null);
        };
        BulkResult: {
            /** @enum {string} */
            action: "acknowledge" | "resolve";
            requested: number;
            succeeded: number;
            failed: number;
            results: components["schemas"]["BulkItem"][];
        };
        Cause: {
            /** @enum {string} */
            type: "event" | "request" | "window" | "workflow" | "incident" | "alert" | "timeout";
            id: string | null;
        };
        Change: {
            field: string;
            /** @description The value before, in the form of the record. */
            before: unknown;
            /** @description The value after. */
            after: unknown;
        };
        /** @enum {string} */
        Channel: "email" | "slack" | "teams" | "mattermost" | "discord" | "webhook";
        /** @description An incoming webhook of a chat, or a signed webhook. */
        ChannelTarget: {
            /** @enum {string} */
            type: "channel";
            /** @enum {string} */
            kind: "slack" | "teams" | "mattermost" | "discord" | "webhook";
            /** Format: uri */
            url: string;
            /** @description For `webhook`: signs the messages (Standard Webhooks). */
            secret?: string | null;
        };
        Client: {
            id: string;
            name: string;
            /** @description A short name for labels and conditions: an alert with the label `client` of this value is about this client. */
            slug: string;
            /** @description What the client is called in another system. Labels find it too. */
            externalId: string | null;
            description: string | null;
            /** @description Further names by which labels find it. */
            aliases: string[];
            contacts: components["schemas"]["ClientContact"][];
            /** @description IANA time zone. */
            timezone: string;
            /** @description Alerts about it that are not resolved. */
            openAlertCount: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            version: number;
        };
        ClientContact: {
            name: string;
            /** Format: email */
            email: string;
        };
        /** @description A tree: `all` and `any` of conditions, `not` of one, and at its leaves a field with an operator. At most 10 deep and 200 nodes. */
        Condition: components["schemas"]["ConditionAll"] | components["schemas"]["ConditionAny"] | components["schemas"]["ConditionNot"] | components["schemas"]["Predicate"];
        /** @description Holds when all of them hold. */
        ConditionAll: {
            all: components["schemas"]["Condition"][];
        };
        /** @description Holds when one of them holds. */
        ConditionAny: {
            any: components["schemas"]["Condition"][];
        };
        /** @description Holds when the condition does not. */
        ConditionNot: {
            not: components["schemas"]["Condition"];
        };
        ContactMethod: {
            /** @enum {string} */
            type: "email";
            address: string;
            verified: boolean;
        };
        CurrentOnCall: {
            scheduleId: string;
            scheduleName: string;
            /** @description Nobody in a gap. */
            users: components["schemas"]["OnCallUser"][];
            /** @enum {string|null} */
            source: "layer" | "override" | null;
            layerId: string | null;
            /**
             * Format: date-time
             * @description When the shift or the gap began; null when it has always been so.
             */
            startsAt: string | null;
            /**
             * Format: date-time
             * @description When it ends; null when that is further away than 400 days.
             */
            endsAt: string | null;
            /** @description Who comes next. */
            next: components["schemas"]["NextOnCall"] | (never | null);
            /** @description Whether nobody is on call. */
            isGap: boolean;
        };
        EmailTarget: {
            /** @enum {string} */
            type: "email";
            /** Format: email */
            address: string;
        };
        /**
         * @example {
         *       "error": "There is no alert with the id alr_0.",
         *       "code": "NOT_FOUND",
         *       "details": {
         *         "resource": "alert",
         *         "id": "alr_0"
         *       }
         *     }
         */
        Error: {
            /** @description For people. The wording may change. */
            error: string;
            /**
             * @description For programs.
             * @enum {string}
             */
            code: "VALIDATION_ERROR" | "INVALID_JSON" | "INVALID_CURSOR" | "UNAUTHORIZED" | "INSUFFICIENT_SCOPE" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "CONFLICT" | "IDEMPOTENCY_KEY_REUSED" | "INVALID_STATE_TRANSITION" | "RESOURCE_IN_USE" | "VERSION_MISMATCH" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED" | "INTERNAL_ERROR" | "UNAVAILABLE";
            /** @description More about it, in the form that belongs to the code; `null` when there is no more to say. */
            details: unknown;
        };
        ExplainedDecision: {
            /** @description The entry of the timeline. */
            eventId: string;
            event: string;
            /** Format: date-time */
            occurredAt: string;
            /** @description Every workflow that this could trigger: `{workflowId, name, version, outcome, trace, runId}`; the outcome is `run`, `conditions`, `quiet` or `loop`, and the trace says it node by node. */
            workflows: {
                [key: string]: unknown;
            }[];
        };
        ExplainedEvent: {
            id: string;
            /** Format: date-time */
            receivedAt: string;
            /** @description `opened`, `occurred`, `acknowledged`, `suppressed`, `resolved`, `unchanged` or `noMatch`. */
            outcome: string;
            /** @description For each field of the event, the rule that gave it: `{from, path, …}`. */
            mapping: {
                [key: string]: unknown;
            } | null;
            /** @description `{value, source, inputs, scope}`: explicit, or generated of title and source; and among which alerts it was looked for. */
            fingerprint: {
                [key: string]: unknown;
            };
            /** @description The suppression windows that were active then, and whether each matched: `{windowId, name, matched, until}`. */
            windows: {
                [key: string]: unknown;
            }[];
        };
        Explanation: {
            alertId: string;
            /** @description All of it in a few sentences. */
            summary: string;
            /** @description What came from the sender, the newest 50, oldest first. */
            events: components["schemas"]["ExplainedEvent"][];
            /** @description What each change of the alert could set going. */
            decisions: components["schemas"]["ExplainedDecision"][];
            /** @description The runs of workflows, each with its steps: what was done, who was on call by which layer, what was skipped and why. */
            runs: {
                [key: string]: unknown;
            }[];
            /** @description What was sent, what was not, and why. */
            notifications: components["schemas"]["Notification"][];
            /**
             * @deprecated
             * @description The old name of `notifications`.
             */
            deliveries: components["schemas"]["Notification"][];
        };
        FieldMappingRule: {
            /** @description title, severity, status, source, description, fingerprint, dedup_key, labels.<key>, annotations.<key>, labels.* or annotations.* */
            target: string;
            /** @description A path, or several of which the first that is there wins. */
            source?: string | string[];
            /** @description Text with paths in double braces: `{{host}}:{{service}}`. */
            template?: string;
            /** @description A constant. */
            value?: string;
            /** @description Taken when nothing was found. */
            default?: string;
            /** @description A regular expression (RE2) with one group; when it matches, the group is the value. */
            extract?: string;
        };
        FollowingAlert: {
            /** @description Null for one that would only be opened. */
            id: string | null;
            title: string;
            fingerprint: string;
            severity: components["schemas"]["Severity"];
            status: components["schemas"]["AlertStatus"];
        };
        IgnoreWhen: {
            path: string;
            equals?: string | number | boolean;
            /** @enum {boolean} */
            missing?: true;
        };
        ImaginedAlert: {
            /** @description `opened`, a change of the open alert (`occurred`, `acknowledged`, `suppressed`, `resolved`), `unchanged` or `noMatch`. */
            decision: string;
            /** @description The open alert that it meets; null for one that it would open. */
            alertId: string | null;
            /**
             * @description The status that the alert would have.
             * @enum {string|null}
             */
            status: "firing" | "resolved" | "acknowledged" | "suppressed" | null;
            changes: components["schemas"]["Change"][];
        };
        ImaginedIncident: {
            /** @description Null for one that would only be opened. */
            id: string | null;
            /** @description Null for one that would only be opened. */
            number: number | null;
            title: string;
            status: components["schemas"]["IncidentStatus"];
        };
        Incident: {
            id: string;
            /** @description Counts from 1 in the organization. */
            number: number;
            title: string;
            summary: string | null;
            severity: components["schemas"]["Severity"];
            status: components["schemas"]["IncidentStatus"];
            clientId: string | null;
            /** @description Members who work on it. */
            assigneeIds: string[];
            /** @description The workflow that opened it; null for one that was opened by hand. */
            workflowId: string | null;
            /** @description What its alerts have in common, when a workflow groups them. */
            groupKey: string | null;
            alertCount: number;
            /** @description Its alerts that are not resolved. */
            openAlertCount: number;
            /**
             * Format: date-time
             * @description When it was opened, or opened again.
             */
            triggeredAt: string;
            /** Format: date-time */
            acknowledgedAt: string | null;
            acknowledgedBy: components["schemas"]["Actor"] | (never | null);
            /** Format: date-time */
            resolvedAt: string | null;
            resolvedBy: components["schemas"]["Actor"] | (never | null);
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            version: number;
        };
        /** @enum {string} */
        IncidentStatus: "triggered" | "acknowledged" | "resolved";
        IncidentTimelineEntry: {
            id: string;
            /** @enum {string} */
            type: "incident.created" | "incident.acknowledged" | "incident.resolved" | "incident.reopened" | "incident.updated" | "incident.alertAdded" | "incident.noted";
            /** Format: date-time */
            occurredAt: string;
            actor: components["schemas"]["Actor"];
            /** @description Why: the request, workflow or alert behind it. */
            cause: components["schemas"]["Cause"];
            changes: components["schemas"]["Change"][];
            note: string | null;
        };
        Integration: {
            id: string;
            name: string;
            type: components["schemas"]["IntegrationType"];
            /** @enum {string} */
            environment: "live" | "test";
            enabled: boolean;
            clientId: string | null;
            /** @description Whole only in the answers to creation and rotation; else the token is masked. */
            ingestUrl: string;
            /** @description The last four characters of the token. */
            tokenHint: string;
            fieldMappings: components["schemas"]["FieldMappingRule"][];
            itemsPath: string | null;
            parseJson: string[];
            severityMap: {
                [key: string]: string;
            } | null;
            statusMap: {
                [key: string]: string;
            } | null;
            /** @enum {string|null} */
            defaultSeverity: "critical" | "high" | "medium" | "low" | "info" | null;
            staticLabels: {
                [key: string]: string;
            };
            ignoreWhen: components["schemas"]["IgnoreWhen"][];
            /** @enum {string} */
            dedupScope: "integration" | "organization";
            /** @description Seconds without an event after which an open alert resolves by itself. */
            autoResolveAfterSeconds: number | null;
            /** Format: date-time */
            lastEventAt: string | null;
            rateLimited: components["schemas"]["RateLimited"];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            version: number;
        };
        IntegrationRequest: {
            id: string;
            /** Format: date-time */
            receivedAt: string;
            /**
             * @description By which API it came: our webhook, PagerDuty's Events API v2 (`/v2/enqueue`), or Opsgenie's alert API (`/v2/alerts`).
             * @enum {string}
             */
            api: "webhook" | "pagerduty" | "opsgenie";
            /**
             * @description What became of the request as a whole.
             * @enum {string}
             */
            outcome: "accepted" | "partial" | "rejected" | "ignored" | "handshake" | "repeated";
            /** @description The HTTP status that the sender got. */
            status: number;
            contentType: string | null;
            /** @description The body as it was posted, without the token. What Opsgenie's API says in the path is put into it: `action`, `alias`. */
            payload: string | null;
            /** @description What became of each item: the event and its fingerprint, or why not. */
            items: {
                [key: string]: unknown;
            }[];
            /** @description How a handshake went, or why the request was refused. */
            note: string | null;
            requestId: string;
        };
        /** @enum {string} */
        IntegrationType: "generic" | "alertmanager" | "grafana" | "datadog" | "new_relic" | "sentry" | "elastic" | "netdata" | "dynatrace" | "splunk" | "cloudwatch" | "azure_monitor" | "google_cloud" | "zabbix" | "icinga" | "nagios" | "checkmk" | "prtg" | "uptime_kuma" | "uptimerobot" | "pingdom" | "healthchecks" | "statuscake" | "pagerduty_events_v2" | "opsgenie";
        IntegrationWithToken: {
            id: string;
            name: string;
            type: components["schemas"]["IntegrationType"];
            /** @enum {string} */
            environment: "live" | "test";
            enabled: boolean;
            clientId: string | null;
            /** @description Whole only in the answers to creation and rotation; else the token is masked. */
            ingestUrl: string;
            /** @description The last four characters of the token. */
            tokenHint: string;
            fieldMappings: components["schemas"]["FieldMappingRule"][];
            itemsPath: string | null;
            parseJson: string[];
            severityMap: {
                [key: string]: string;
            } | null;
            statusMap: {
                [key: string]: string;
            } | null;
            /** @enum {string|null} */
            defaultSeverity: "critical" | "high" | "medium" | "low" | "info" | null;
            staticLabels: {
                [key: string]: string;
            };
            ignoreWhen: components["schemas"]["IgnoreWhen"][];
            /** @enum {string} */
            dedupScope: "integration" | "organization";
            /** @description Seconds without an event after which an open alert resolves by itself. */
            autoResolveAfterSeconds: number | null;
            /** Format: date-time */
            lastEventAt: string | null;
            rateLimited: components["schemas"]["RateLimited"];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            version: number;
            /** @description The ingest token: shown now and never again. */
            token: string;
        };
        LayerRestriction: {
            /** @description Weekdays on which it begins, 1 is Monday. */
            days: number[];
            start: string;
            /** @description An end that is not after the start is on the next day. */
            end: string;
        };
        ListMeta: {
            /** @description The page size that was used. */
            limit: number;
            /** @description `false` on the last page. */
            hasMore: boolean;
            /** @description Goes into `cursor` for the next page; `null` on the last one. */
            nextCursor: string | null;
            /** @description How many there are in all. On the first page only. */
            total?: number;
        };
        Member: {
            id: string;
            name: string;
            /** Format: email */
            email: string;
            /** @description A name for a set of the scopes that keys have. */
            role: components["schemas"]["MemberRole"];
            status: components["schemas"]["MemberStatus"];
            /** @description IANA time zone. */
            timezone: string;
            contactMethods: components["schemas"]["ContactMethod"][];
            /** @description Whether a schedule in the environment of the key has this member on call now. */
            isOnCall: boolean;
            /** Format: date-time */
            createdAt: string;
        };
        /** @enum {string} */
        MemberRole: "owner" | "admin" | "responder" | "viewer";
        /** @enum {string} */
        MemberStatus: "active" | "invited" | "disabled";
        NextOnCall: {
            users: components["schemas"]["OnCallUser"][];
            /** Format: date-time */
            startsAt: string;
            /** Format: date-time */
            endsAt: string | null;
        };
        Notification: {
            /** @description The same for every attempt: `webhook-id` of a webhook. */
            id: string;
            alertId: string | null;
            incidentId: string | null;
            workflowId: string | null;
            runId: string | null;
            stepId: string | null;
            /** @description The member who is told. */
            userId: string | null;
            /** @description An e-mail address, or the host of a chat or webhook. */
            target: string;
            channel: components["schemas"]["Channel"];
            /** @description `captured`: in the test environment nothing leaves the service. */
            status: components["schemas"]["NotificationStatus"];
            /** @description Why it failed or was skipped, or what the other side answered. */
            reason: string | null;
            /** @description Why this recipient, in a sentence. */
            why: string;
            attempts: number;
            /** Format: date-time */
            nextAttemptAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /** @enum {string} */
        NotificationStatus: "queued" | "sent" | "failed" | "captured" | "skipped";
        /** @description Tells people and channels. */
        NotifyStep: {
            /** @description Unique in the workflow. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "notify";
            params: {
                targets: (components["schemas"]["UserTarget"] | components["schemas"]["ScheduleTarget"] | components["schemas"]["EmailTarget"] | components["schemas"]["ChannelTarget"])[];
                subject?: string | null;
                message?: string | null;
            };
            /** @description Waits before the step, also over a restart of the service. */
            delaySeconds?: number;
            /** @description Skips the step when the alert or the incident is in one of these states by then. */
            unless?: ("acknowledged" | "resolved")[];
            /** @description Go on with the next step when this one fails. */
            continueOnError?: boolean;
        };
        OnCallUser: {
            id: string;
            name: string;
            /** Format: email */
            email: string;
        };
        /** @description Opens an incident, or adds the alert to the open one of its group. */
        OpenIncidentStep: {
            /** @description Unique in the workflow. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "openIncident";
            params?: {
                /** @description `fingerprint`, `severity`, `source`, `title`, `clientId`, `integrationId`, `labels.<key>`. None: all alerts of the workflow are one group. */
                groupBy?: string[];
                /** @description How long after its last alert a resolved incident still takes alerts of its group, and opens again. 0: only while it is open. */
                windowSeconds?: number;
                /** @description Resolve it with its last open alert. */
                autoResolve?: boolean;
                /** @description With paths in double braces: `{{labels.service}} is failing`. */
                title?: string | null;
                /**
                 * @description That of the alert when it is left out.
                 * @enum {string|null}
                 */
                severity?: "critical" | "high" | "medium" | "low" | "info" | null;
            };
            /** @description Waits before the step, also over a restart of the service. */
            delaySeconds?: number;
            /** @description Skips the step when the alert or the incident is in one of these states by then. */
            unless?: ("acknowledged" | "resolved")[];
            /** @description Go on with the next step when this one fails. */
            continueOnError?: boolean;
        };
        PlannedIncident: {
            /** @description Null for one that would only be opened. */
            id: string | null;
            /** @description Null for one that would only be opened. */
            number: number | null;
            title: string;
            status: components["schemas"]["IncidentStatus"];
            /**
             * @description `opened`: a new one. `joined`: one of its group that is open. `reopened`: one of its group that was resolved a short while ago. `kept`: the alert is in one already.
             * @enum {string}
             */
            decision: "opened" | "joined" | "reopened" | "kept";
        };
        PlannedStep: {
            id: string;
            type: string;
            /**
             * Format: date-time
             * @description When, if nobody acknowledges and nothing resolves before.
             */
            at: string;
            /** @description What it would do, in a sentence. */
            would: string;
            /** @description Whom it would tell: `{channel, target, why, onCall, unreachable}`. */
            targets: {
                [key: string]: unknown;
            }[];
            /** @description The step is left out when the alert or the incident is in one of these states by then. */
            unless: ("acknowledged" | "resolved")[];
            /**
             * @description What would become of it, as a run says it; `pending` for what waits until the alert fires again.
             * @enum {string}
             */
            outcome: "pending" | "done" | "skipped" | "failed";
            /** @description Why it would be skipped, fail or wait. */
            reason: string | null;
            /** @description Whether it would change the alert or incident; null for a step that changes none. */
            changed: boolean | null;
            /** @description Of `openIncident`: the incident that the alert would then be in. */
            incident: components["schemas"]["PlannedIncident"] | (never | null);
        };
        PostApiKey: {
            name: string;
            scopes: components["schemas"]["Scope"][];
            /**
             * @description As the calling key unless said. A test key cannot make a live one.
             * @enum {string}
             */
            environment?: "live" | "test";
            /**
             * Format: date-time
             * @description A time or a date (the end of that day, UTC); in the future.
             */
            expiry?: string | null;
        };
        PostClient: {
            /** @description Lower-case letters, digits and hyphens. Made of the name when it is left out at creation. */
            slug?: string;
            externalId?: string | null;
            description?: string | null;
            aliases?: string[];
            contacts?: components["schemas"]["ClientContact"][];
            /** @description IANA time zone, such as Europe/Berlin. */
            timezone?: string;
            name: string;
        };
        PostIncident: {
            title: string;
            severity: components["schemas"]["Severity"];
            summary?: string | null;
            clientId?: string | null;
            assigneeIds?: string[];
            /** @description Alerts that belong to it from the beginning. None of them may be in another incident that is open. */
            alertIds?: string[];
            /** @description Kept in the timeline. */
            note?: string | null;
        };
        PostIntegration: {
            enabled?: boolean;
            clientId?: string | null;
            fieldMappings?: components["schemas"]["FieldMappingRule"][] | null;
            itemsPath?: string | null;
            parseJson?: string[] | null;
            /** @description The sender's word to one of critical, high, medium, low, info. */
            severityMap?: {
                [key: string]: string;
            } | null;
            /** @description The sender's word to one of firing, resolved, acknowledged, suppressed. */
            statusMap?: {
                [key: string]: string;
            } | null;
            /** @enum {string|null} */
            defaultSeverity?: "critical" | "high" | "medium" | "low" | "info" | null;
            /** @description Labels that every alert gets. */
            staticLabels?: {
                [key: string]: string;
            } | null;
            ignoreWhen?: components["schemas"]["IgnoreWhen"][] | null;
            /** @enum {string} */
            dedupScope?: "integration" | "organization";
            autoResolveAfterSeconds?: number | null;
            name: string;
            /**
             * @description The sender: fills the mapping that it needs. All of it stays editable.
             * @default generic
             */
            type?: components["schemas"]["IntegrationType"];
        };
        PostOverride: {
            /** @description The member who is on call. */
            userId: string;
            /** Format: date-time */
            startsAt: string;
            /** Format: date-time */
            endsAt: string;
            reason?: string | null;
        };
        PostSchedule: {
            description?: string | null;
            /** @description IANA time zone, such as Europe/Berlin. */
            timezone?: string;
            layers?: components["schemas"]["PostScheduleLayer"][];
            name: string;
        };
        PostScheduleLayer: {
            id?: string;
            name: string;
            members: string[];
            rotation: components["schemas"]["Rotation"];
            /** Format: date-time */
            startsAt: string;
            /** Format: date-time */
            endsAt?: string | null;
            restrictions?: components["schemas"]["LayerRestriction"][];
        };
        PostSuppressionWindow: {
            /** @description All of them must hold. Fields: those of an alert, `labels.<key>`, `annotations.<key>`. */
            matchers?: components["schemas"]["Predicate"][];
            clientIds?: string[];
            integrationIds?: string[];
            exceptSeverities?: components["schemas"]["Severity"][];
            /**
             * @description Must be true for a window without matchers, clients and integrations: it makes everything quiet.
             * @default false
             */
            matchAll?: boolean;
            reason?: string | null;
            /** @default true */
            enabled?: boolean;
            /** Format: date-time */
            endsAt?: string | null;
            /**
             * @description IANA time zone, such as Europe/Berlin.
             * @default UTC
             */
            timezone?: string;
            /** @example FREQ=WEEKLY;BYDAY=SU */
            rrule?: string | null;
            durationSeconds?: number | null;
            /**
             * @default resume
             * @enum {string}
             */
            onEnd?: "resume" | "resolve";
            name: string;
            /** Format: date-time */
            startsAt: string;
        };
        PostWorkflow: {
            description?: string | null;
            /** @default true */
            enabled?: boolean;
            conditions?: components["schemas"]["Condition"] | (never | null);
            name: string;
            trigger: components["schemas"]["WorkflowTrigger"];
            steps: components["schemas"]["WorkflowStep"][];
        };
        /** @description A field compared with a value. A field without a value makes every operator false but `neq`, `notIn` and `exists: false`. */
        Predicate: {
            /** @description A field of the alert (`severity`, `title`, …), `labels.<key>`, `annotations.<key>`, `client.slug`, `integration.name`, `incident.<field>`, or `now.time`, `now.weekday`, `now.date`. */
            field: string;
            /**
             * @description `matches` takes an RE2 expression. Severities are ordered: info is the lowest, critical the highest.
             * @enum {string}
             */
            op: "eq" | "neq" | "in" | "notIn" | "exists" | "contains" | "startsWith" | "endsWith" | "matches" | "gt" | "gte" | "lt" | "lte";
            /** @description A list for `in` and `notIn`, true or false for `exists`, else one value. */
            value: string | number | boolean | (string | number | boolean)[];
            /** @description IANA time zone of a `now.` field; UTC when it is left out. */
            timezone?: string;
        };
        Preview: {
            /** @enum {string} */
            kind: "items" | "handshake";
            items: components["schemas"]["PreviewItem"][];
        };
        PreviewItem: {
            /** @enum {string} */
            outcome: "event" | "ignored" | "faulty";
            /** @description The event that would be stored. */
            event: {
                [key: string]: unknown;
            } | null;
            warnings: {
                [key: string]: unknown;
            }[];
            faults: {
                [key: string]: unknown;
            }[];
            /** @description For each field, where its value came from. */
            provenance: {
                [key: string]: unknown;
            } | null;
            /** @description Why it would be ignored. */
            reason: string | null;
        };
        PreviewPayload: {
            /** @description A body as the sender posts it. A form-encoded one is sent as an object of its fields. */
            payload: unknown;
        };
        PutClient: {
            name?: string;
            /** @description Lower-case letters, digits and hyphens. Made of the name when it is left out at creation. */
            slug?: string;
            externalId?: string | null;
            description?: string | null;
            aliases?: string[];
            contacts?: components["schemas"]["ClientContact"][];
            /** @description IANA time zone, such as Europe/Berlin. */
            timezone?: string;
        };
        PutIncident: {
            /** @description triggered → acknowledged → resolved; back to triggered from either. Acknowledging also acknowledges its firing alerts. */
            status?: components["schemas"]["IncidentStatus"];
            /**
             * @description With the status `resolved`: also resolve its open alerts.
             * @default false
             */
            resolveAlerts?: boolean;
            assigneeIds?: string[];
            severity?: components["schemas"]["Severity"];
            title?: string;
            summary?: string | null;
            /** @description Kept in the timeline, also when it is all that is sent. */
            note?: string | null;
        };
        PutIntegration: {
            name?: string;
            enabled?: boolean;
            clientId?: string | null;
            fieldMappings?: components["schemas"]["FieldMappingRule"][] | null;
            itemsPath?: string | null;
            parseJson?: string[] | null;
            /** @description The sender's word to one of critical, high, medium, low, info. */
            severityMap?: {
                [key: string]: string;
            } | null;
            /** @description The sender's word to one of firing, resolved, acknowledged, suppressed. */
            statusMap?: {
                [key: string]: string;
            } | null;
            /** @enum {string|null} */
            defaultSeverity?: "critical" | "high" | "medium" | "low" | "info" | null;
            /** @description Labels that every alert gets. */
            staticLabels?: {
                [key: string]: string;
            } | null;
            ignoreWhen?: components["schemas"]["IgnoreWhen"][] | null;
            /** @enum {string} */
            dedupScope?: "integration" | "organization";
            autoResolveAfterSeconds?: number | null;
        };
        PutSchedule: {
            name?: string;
            description?: string | null;
            /** @description IANA time zone, such as Europe/Berlin. */
            timezone?: string;
            layers?: components["schemas"]["PostScheduleLayer"][];
        };
        PutSuppressionWindow: {
            /** @description All of them must hold. Fields: those of an alert, `labels.<key>`, `annotations.<key>`. */
            matchers?: components["schemas"]["Predicate"][];
            clientIds?: string[];
            integrationIds?: string[];
            exceptSeverities?: components["schemas"]["Severity"][];
            /**
             * @description Must be true for a window without matchers, clients and integrations: it makes everything quiet.
             * @default false
             */
            matchAll?: boolean;
            name?: string;
            reason?: string | null;
            /** @default true */
            enabled?: boolean;
            /** Format: date-time */
            startsAt?: string;
            /** Format: date-time */
            endsAt?: string | null;
            /**
             * @description IANA time zone, such as Europe/Berlin.
             * @default UTC
             */
            timezone?: string;
            /** @example FREQ=WEEKLY;BYDAY=SU */
            rrule?: string | null;
            durationSeconds?: number | null;
            /**
             * @default resume
             * @enum {string}
             */
            onEnd?: "resume" | "resolve";
        };
        PutWorkflow: {
            name?: string;
            description?: string | null;
            /** @default true */
            enabled?: boolean;
            trigger?: components["schemas"]["WorkflowTrigger"];
            conditions?: components["schemas"]["Condition"] | (never | null);
            steps?: components["schemas"]["WorkflowStep"][];
        };
        RateLimited: {
            /** @description Requests that the limit of the token turned away, in all. */
            count: number;
            /** Format: date-time */
            lastAt: string | null;
        };
        Replay: {
            saved: boolean;
            /**
             * Format: date-time
             * @description The oldest payload that was looked at.
             */
            since: string | null;
            same: number;
            changed: number;
            nowAccepted: number;
            nowRefused: number;
            /** @description Those that differ, newest first; as many as fit into an answer. */
            payloads: components["schemas"]["ReplayedPayload"][];
        };
        ReplayPayloads: {
            itemsPath?: string | null;
            parseJson?: string[] | null;
            /** @description The sender's word to one of critical, high, medium, low, info. */
            severityMap?: {
                [key: string]: string;
            } | null;
            /** @description The sender's word to one of firing, resolved, acknowledged, suppressed. */
            statusMap?: {
                [key: string]: string;
            } | null;
            /** @description Labels that every alert gets. */
            staticLabels?: {
                [key: string]: string;
            } | null;
            fieldMappings?: components["schemas"]["FieldMappingRule"][] | null;
            /** @enum {string|null} */
            defaultSeverity?: "critical" | "high" | "medium" | "low" | "info" | null;
            ignoreWhen?: components["schemas"]["IgnoreWhen"][] | null;
            /**
             * Format: date-time
             * @description Only payloads that came at or after this time; all that are kept when it is left out.
             */
            since?: string;
            /**
             * @description The newest so many payloads.
             * @default 100
             */
            limit?: number;
            /**
             * @description With false the changed settings are saved, if the answer has no payload that was accepted before and would be refused now. Payloads are not sent again.
             * @default true
             */
            dryRun?: boolean;
        };
        ReplayedPayload: {
            /** @description The id of the request in `GET /integrations/{id}/requests`. */
            integrationRequestId: string;
            /**
             * @deprecated
             * @description The old name of `integrationRequestId`.
             */
            deliveryId: string;
            /** Format: date-time */
            receivedAt: string;
            /** @enum {string} */
            difference: "same" | "changed" | "nowAccepted" | "nowRefused";
            /** @description What the settings as they are make of each item: `{outcome, …}`, with the fields of the event. */
            before: {
                [key: string]: unknown;
            }[];
            /** @description What the changed ones would. */
            after: {
                [key: string]: unknown;
            }[];
            /** @description What differs: `{item, field, before, after}`. */
            changes: {
                [key: string]: unknown;
            }[];
        };
        /** @description Resolves the alert. */
        ResolveStep: {
            /** @description Unique in the workflow. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "resolve";
            params?: Record<string, never>;
            /** @description Waits before the step, also over a restart of the service. */
            delaySeconds?: number;
            /** @description Skips the step when the alert or the incident is in one of these states by then. */
            unless?: ("acknowledged" | "resolved")[];
            /** @description Go on with the next step when this one fails. */
            continueOnError?: boolean;
        };
        RotateToken: {
            /**
             * @description Seconds for which the old token still works.
             * @default 0
             */
            graceSeconds?: number;
        };
        Rotation: {
            /** @enum {string} */
            unit: "hour" | "day" | "week" | "month";
            /** @description A turn is this many units long: at most 720 hours, 365 days, 52 weeks or 12 months. */
            interval: number;
            /** @description Local time of the hand-off. */
            handoffTime: string;
            /** @description By week: 1 (Monday) to 7. By month: 1 to 31, and the last day of a shorter month. Else null. */
            handoffDay?: number | null;
        };
        RunStep: {
            id: string;
            type: string;
            /** @enum {string} */
            outcome: "pending" | "done" | "skipped" | "failed";
            /** @description Why it was skipped or failed. */
            reason: string | null;
            /** @description What was done: notifications, who was on call, the incident. */
            detail: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: date-time
             * @description When it was done, or when it is due.
             */
            at: string | null;
        };
        Schedule: {
            id: string;
            name: string;
            description: string | null;
            /** @description IANA time zone of the hand-offs and restrictions. */
            timezone: string;
            /** @description Of the layers that have somebody, the last one counts. */
            layers: components["schemas"]["ScheduleLayer"][];
            /** @description Those that have not ended. They beat the layers, and the newest beats older ones. */
            overrides: components["schemas"]["ScheduleOverride"][];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            version: number;
        };
        ScheduleGap: {
            /** Format: date-time */
            startsAt: string;
            /** Format: date-time */
            endsAt: string;
        };
        ScheduleLayer: {
            /** @description Made by the service when it is left out; send it to keep the layer. */
            id: string;
            name: string;
            /** @description Members, in turn. The first is on call from `startsAt` to the first hand-off. */
            members: string[];
            rotation: components["schemas"]["Rotation"];
            /** Format: date-time */
            startsAt: string;
            /** Format: date-time */
            endsAt: string | null;
            /** @description When it counts; always when there are none. */
            restrictions: components["schemas"]["LayerRestriction"][];
        };
        ScheduleOverride: {
            id: string;
            userId: string;
            /** Format: date-time */
            startsAt: string;
            /** Format: date-time */
            endsAt: string;
            reason: string | null;
            createdBy: components["schemas"]["Actor"];
            /** Format: date-time */
            createdAt: string;
        };
        /** @description Whoever is on call when the step runs, or who comes next. */
        ScheduleTarget: {
            /** @enum {string} */
            type: "schedule";
            /** @description The id of a schedule. */
            id: string;
            /**
             * @description `current` when it is left out.
             * @enum {string}
             */
            who?: "current" | "next";
        };
        /** @enum {string} */
        Scope: "alerts:read" | "alerts:write" | "incidents:read" | "incidents:write" | "clients:read" | "clients:write" | "workflows:read" | "workflows:write" | "schedules:read" | "schedules:write" | "integrations:read" | "integrations:write" | "suppression:read" | "suppression:write" | "users:read" | "api_keys:read" | "api_keys:write" | "audit:read";
        /** @description Gives the alert a severity. */
        SetSeverityStep: {
            /** @description Unique in the workflow. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "setSeverity";
            params: {
                /** @enum {string} */
                severity: "critical" | "high" | "medium" | "low" | "info";
            };
            /** @description Waits before the step, also over a restart of the service. */
            delaySeconds?: number;
            /** @description Skips the step when the alert or the incident is in one of these states by then. */
            unless?: ("acknowledged" | "resolved")[];
            /** @description Go on with the next step when this one fails. */
            continueOnError?: boolean;
        };
        /** @enum {string} */
        Severity: "critical" | "high" | "medium" | "low" | "info";
        Shift: {
            user: components["schemas"]["OnCallUser"];
            /** Format: date-time */
            startsAt: string;
            /** Format: date-time */
            endsAt: string;
            /** @enum {string} */
            source: "layer" | "override";
            layerId: string | null;
            overrideId: string | null;
        };
        Shifts: {
            /** Format: date-time */
            since: string;
            /** Format: date-time */
            until: string;
            /** @description What really happens, layers and overrides taken together: in order, without overlap. */
            shifts: components["schemas"]["Shift"][];
            /** @description When nobody is on call. */
            gaps: components["schemas"]["ScheduleGap"][];
        };
        Simulate: {
            /** @description A body as a sender posts it. Either this with `integrationId`, or `alert`. */
            payload?: unknown;
            /** @description The integration whose mapping is used; it decides deduplication, client and scope, too. */
            integrationId?: string | null;
            /** @description A standard payload, as if an integration without mappings had sent it. */
            alert?: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description The time that it is to be; now when it is left out.
             */
            at?: string;
        };
        SimulatedCause: {
            /**
             * @description A workflow; or what happened to the incident of an alert, or to the alerts of an incident.
             * @enum {string}
             */
            type: "alert" | "incident" | "workflow";
            /** @description The workflow that did it in the end; null when the sender did. */
            workflowId: string | null;
            workflowName: string | null;
            /** @description The step of that workflow. */
            stepId: string | null;
        };
        SimulatedFollow: {
            event: components["schemas"]["WorkflowEvent"];
            /** Format: date-time */
            at: string;
            /** @description How many workflows caused each other up to here. */
            depth: number;
            /** @description Why. */
            cause: components["schemas"]["SimulatedCause"];
            /** @description The alert that it happens to, as it is then. */
            alert: components["schemas"]["FollowingAlert"] | (never | null);
            /** @description Or the incident. */
            incident: components["schemas"]["ImaginedIncident"] | (never | null);
            changes: components["schemas"]["Change"][];
            /** @description Every workflow that it could trigger. */
            workflows: components["schemas"]["SimulatedWorkflow"][];
        };
        SimulatedItem: {
            /** @enum {string} */
            outcome: "event" | "ignored" | "faulty";
            reason: string | null;
            /** @description What is wrong with it. */
            faults: {
                [key: string]: unknown;
            }[];
            /** @description The event after mapping. */
            event: {
                [key: string]: unknown;
            } | null;
            /** @description As in an explanation. */
            mapping: {
                [key: string]: unknown;
            } | null;
            /** @description As in an explanation. */
            fingerprint: {
                [key: string]: unknown;
            } | null;
            /** @description `{decision, alertId, status, changes}`: `opened`, a change of the open alert, `unchanged` or `noMatch`. */
            alert: components["schemas"]["ImaginedAlert"] | (never | null);
            /** @description As in an explanation. */
            windows: {
                [key: string]: unknown;
            }[];
            /** @description Every workflow that it could trigger. */
            workflows: components["schemas"]["SimulatedWorkflow"][];
            /** @description What follows from it, in the order in which it happens: what steps do to alerts and incidents, an incident that resolves with its last alert, and the workflows that wait for any of it. */
            follows: components["schemas"]["SimulatedFollow"][];
            /** @description Whether more would happen than is shown: what comes last is left out of an answer that grows too large. */
            leftOut: boolean;
        };
        SimulatedWorkflow: {
            workflowId: string;
            name: string;
            version: number;
            event: components["schemas"]["WorkflowEvent"];
            /**
             * @description `run`, or why not: the conditions, `quiet` (the alert does not fire), `loop` (too many workflows have caused each other).
             * @enum {string}
             */
            outcome: "run" | "conditions" | "quiet" | "loop";
            /** @description What each node of the conditions says. */
            trace: {
                [key: string]: unknown;
            };
            /** @description What each step would do when, and whom it would tell. */
            steps: components["schemas"]["PlannedStep"][];
            /** @description How many workflows caused each other up to here; at 5 it ends. */
            depth: number;
            /**
             * @description What would become of its run in the end; `waiting` when a message is held back until the alert fires again. Null when there is none.
             * @enum {string|null}
             */
            runStatus: "completed" | "waiting" | "failed" | null;
        };
        Simulation: {
            /** Format: date-time */
            at: string;
            /** @description The first 25 items of the payload, as many as fit into an answer. */
            items: components["schemas"]["SimulatedItem"][];
        };
        Suppression: {
            /** @description The suppression window; null when the sender itself said suppressed. */
            windowId: string | null;
            /** Format: date-time */
            until: string | null;
            /**
             * @description What the alert goes back to.
             * @enum {string}
             */
            priorStatus: "firing" | "acknowledged";
        };
        SuppressionPreview: {
            /** @description How many open firing alerts it would make quiet now. */
            total: number;
            /** @description The first 50 of them, newest occurrence first. */
            alerts: components["schemas"]["Alert"][];
        };
        /** @enum {string} */
        SuppressionStatus: "scheduled" | "active" | "expired" | "disabled";
        SuppressionWindow: {
            id: string;
            name: string;
            reason: string | null;
            enabled: boolean;
            /** @description All of them must hold. */
            matchers: components["schemas"]["Predicate"][];
            /** @description Only alerts about these clients; about any when there are none. */
            clientIds: string[];
            /** @description Only alerts from these integrations; from any when there are none. */
            integrationIds: string[];
            /** @description Alerts of these severities are not suppressed. */
            exceptSeverities: components["schemas"]["Severity"][];
            /** @description That it is meant to match everything. */
            matchAll: boolean;
            /** Format: date-time */
            startsAt: string;
            /**
             * Format: date-time
             * @description Of a recurring window: no occurrence begins at or after it.
             */
            endsAt: string | null;
            /** @description IANA time zone: occurrences begin at its wall-clock time. */
            timezone: string;
            /** @description RFC 5545 recurrence rule; null for a window that happens once. */
            rrule: string | null;
            /** @description How long each occurrence lasts. */
            durationSeconds: number | null;
            /**
             * @description What becomes of the alerts it hides when it ends.
             * @enum {string}
             */
            onEnd: "resume" | "resolve";
            status: components["schemas"]["SuppressionStatus"];
            /** @description How often it has made an alert quiet. */
            suppressedCount: number;
            createdBy: components["schemas"]["Actor"];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            version: number;
        };
        TestNotification: {
            /** @description As in a `notify` step. */
            target: components["schemas"]["UserTarget"] | components["schemas"]["ScheduleTarget"] | components["schemas"]["EmailTarget"] | components["schemas"]["ChannelTarget"];
        };
        TestWorkflow: {
            /** @description An alert that is there. */
            alertId?: string;
            /** @description An incident that is there. */
            incidentId?: string;
            /** @description An event as the standard payload of the webhook has it, or any payload of the integration. */
            payload?: unknown;
            /** @description The integration that maps the payload; without it the payload is taken as a standard one. */
            integrationId?: string | null;
            /** @description The event that is to have happened. When it is left out: of a payload what it would really bring about, of an alert or incident the first of the workflow. */
            event?: components["schemas"]["WorkflowEvent"];
            /**
             * Format: date-time
             * @description The time that it is to be; now when it is left out.
             */
            at?: string;
        };
        TimelineEntry: {
            id: string;
            /** @enum {string} */
            type: "alert.created" | "alert.occurred" | "alert.acknowledged" | "alert.resolved" | "alert.suppressed" | "alert.resumed" | "alert.severityChanged" | "alert.suppressionChanged" | "alert.addedToIncident" | "alert.assigned" | "alert.labelsChanged";
            /** Format: date-time */
            occurredAt: string;
            actor: components["schemas"]["Actor"];
            /** @description Why: the event, request, window or workflow behind it. */
            cause: components["schemas"]["Cause"];
            changes: components["schemas"]["Change"][];
            note: string | null;
        };
        UserTarget: {
            /** @enum {string} */
            type: "user";
            /** @description The id of a member. */
            id: string;
        };
        /** @description Posts the event to a URL, signed (Standard Webhooks) when there is a secret. */
        WebhookStep: {
            /** @description Unique in the workflow. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "webhook";
            params: {
                /** Format: uri */
                url: string;
                secret?: string | null;
                headers?: {
                    [key: string]: string;
                };
                timeoutSeconds?: number;
            };
            /** @description Waits before the step, also over a restart of the service. */
            delaySeconds?: number;
            /** @description Skips the step when the alert or the incident is in one of these states by then. */
            unless?: ("acknowledged" | "resolved")[];
            /** @description Go on with the next step when this one fails. */
            continueOnError?: boolean;
        };
        WindowScope: {
            /** @description All of them must hold. Fields: those of an alert, `labels.<key>`, `annotations.<key>`. */
            matchers?: components["schemas"]["Predicate"][];
            clientIds?: string[];
            integrationIds?: string[];
            exceptSeverities?: components["schemas"]["Severity"][];
            /**
             * @description Must be true for a window without matchers, clients and integrations: it makes everything quiet.
             * @default false
             */
            matchAll?: boolean;
        };
        Workflow: {
            id: string;
            name: string;
            description: string | null;
            enabled: boolean;
            trigger: components["schemas"]["WorkflowTrigger"];
            /** @description Null: whenever one of the events happens. */
            conditions: components["schemas"]["Condition"] | (never | null);
            steps: components["schemas"]["WorkflowStep"][];
            /** Format: date-time */
            lastRunAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            version: number;
        };
        /** @enum {string} */
        WorkflowEvent: "alert.created" | "alert.acknowledged" | "alert.resolved" | "alert.suppressed" | "alert.resumed" | "alert.severityChanged" | "incident.created" | "incident.acknowledged" | "incident.resolved" | "incident.reopened";
        WorkflowRun: {
            id: string;
            workflowId: string;
            workflowName: string;
            /** @description The version of the workflow that runs. */
            workflowVersion: number;
            /** @enum {string} */
            status: "running" | "waiting" | "completed" | "failed";
            /** @description The entry of the timeline that triggered it. */
            eventId: string;
            event: components["schemas"]["WorkflowEvent"];
            /** @description How many workflows caused each other up to here; at 5 it ends. */
            depth: number;
            alertId: string | null;
            incidentId: string | null;
            /** @description The tree of the conditions: `{path, kind, holds, children}`, and at the leaves `{field, op, value, actual}`. */
            trace: {
                [key: string]: unknown;
            };
            steps: components["schemas"]["RunStep"][];
            error: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            finishedAt: string | null;
        };
        /** @description Steps run in order. Escalation is a `notify`, then a `notify` with a delay and `unless`. */
        WorkflowStep: components["schemas"]["NotifyStep"] | components["schemas"]["WebhookStep"] | components["schemas"]["OpenIncidentStep"] | components["schemas"]["SetSeverityStep"] | components["schemas"]["AddLabelsStep"] | components["schemas"]["AssignStep"] | components["schemas"]["AcknowledgeStep"] | components["schemas"]["ResolveStep"];
        WorkflowTest: {
            /** @description Whether the workflow would run. */
            runs: boolean;
            /**
             * @description Why it would not.
             * @enum {string|null}
             */
            reason: "trigger" | "conditions" | "quiet" | "disabled" | null;
            /** @description The tree of the conditions: `{path, kind, holds, children}`, and at the leaves `{field, op, value, actual}`. */
            trace: {
                [key: string]: unknown;
            };
            /** @description What would be done, if it ran; of what other workflows would do `POST /simulate` tells. */
            steps: components["schemas"]["PlannedStep"][];
            /**
             * @description The event that is to have happened: the one that was sent, else what the payload would bring about. Null when nobody would hear of it.
             * @enum {string|null}
             */
            event: "alert.created" | "alert.acknowledged" | "alert.resolved" | "alert.suppressed" | "alert.resumed" | "alert.severityChanged" | "incident.created" | "incident.acknowledged" | "incident.resolved" | "incident.reopened" | null;
            /** @description Of a payload: the alert that it would open or meet. */
            alert: components["schemas"]["ImaginedAlert"] | (never | null);
            /** @description Of a payload: the suppression windows that are active then, and whether each matches: `{windowId, name, matched, until}`. */
            windows: {
                [key: string]: unknown;
            }[];
        };
        WorkflowTrigger: {
            events: components["schemas"]["WorkflowEvent"][];
        };
    };
    responses: never;
    parameters: {
        /**
         * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
         * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
         */
        "X-Request-Id": string;
        /**
         * @description Makes the request safe to repeat: for 24 hours the same key with the same body answers the first answer again, and with another body 409 `IDEMPOTENCY_KEY_REUSED`.
         * @example ticket-4711-acknowledge
         */
        "Idempotency-Key": string;
        /**
         * @description The `ETag` of the version that the change is meant for. When the record has changed since, the answer is 412 `VERSION_MISMATCH`.
         * @example "3"
         */
        "If-Match": string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description The id of the request: the one that was sent, or a new one.
         * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
         */
        "X-Request-Id": string;
        /**
         * @description How many requests the organization may make in a window.
         * @example 300
         */
        "RateLimit-Limit": number;
        /**
         * @description How many of them are left.
         * @example 287
         */
        "RateLimit-Remaining": number;
        /**
         * @description Seconds until the window ends.
         * @example 42
         */
        "RateLimit-Reset": number;
        /**
         * @description The version of the record, for `If-Match` and `If-None-Match`.
         * @example "3"
         */
        ETag: string;
        /**
         * @description Since when the operation is deprecated (RFC 9745): `@` and the seconds since 1970.
         * @example @1795305600
         */
        Deprecation: string;
        /**
         * @description When the operation will be removed (RFC 8594): an HTTP date.
         * @example Mon, 22 Nov 2027 00:00:00 GMT
         */
        Sunset: string;
        /**
         * @description The path that replaces the one of the request (RFC 8288), with `rel="successor-version"`.
         * @example </api/v1/notifications>; rel="successor-version"
         */
        Link: string;
        /**
         * @description Seconds to wait before trying again.
         * @example 17
         */
        "Retry-After": number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    acknowledgeAlert: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /**
                 * @description Makes the request safe to repeat: for 24 hours the same key with the same body answers the first answer again, and with another body 409 `IDEMPOTENCY_KEY_REUSED`.
                 * @example ticket-4711-acknowledge
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description The `ETag` of the version that the change is meant for. When the record has changed since, the answer is 412 `VERSION_MISMATCH`.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /**
                 * @description The id, as lists show it.
                 * @example alr_01938f3a7c2e7d4ab1c2d3e4f5061728
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "note": "looking into it"
                 *     }
                 */
                "application/json": components["schemas"]["AlertNote"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "alr_01938f3a7c2e7d4ab1c2d3e4f5061728",
                     *         "title": "High CPU",
                     *         "description": "CPU > 95 % for 10 min",
                     *         "severity": "critical",
                     *         "status": "acknowledged",
                     *         "source": "prometheus",
                     *         "fingerprint": "cpu-web-01",
                     *         "fingerprintSource": "explicit",
                     *         "labels": {
                     *           "host": "web-01",
                     *           "region": "eu"
                     *         },
                     *         "annotations": {
                     *           "runbook": "https://runbooks.example.com/cpu"
                     *         },
                     *         "clientId": null,
                     *         "integrationId": "int_01938f3a7c2e7d4ab1c2d3e4f5060001",
                     *         "incidentId": null,
                     *         "assigneeId": null,
                     *         "firstOccurredAt": "2026-11-20T14:00:00.000Z",
                     *         "lastOccurredAt": "2026-11-20T14:05:00.000Z",
                     *         "occurrenceCount": 2,
                     *         "previousAlertId": null,
                     *         "acknowledgedAt": "2026-11-20T14:06:00.000Z",
                     *         "acknowledgedBy": {
                     *           "type": "api_key",
                     *           "id": "key_01938f3a7c2e7d4ab1c2d3e4f5060002",
                     *           "name": "on-call bot"
                     *         },
                     *         "resolvedAt": null,
                     *         "resolvedBy": null,
                     *         "resolveReason": null,
                     *         "suppression": null,
                     *         "createdAt": "2026-11-20T14:00:00.120Z",
                     *         "updatedAt": "2026-11-20T14:05:00.080Z",
                     *         "version": 3
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Alert"];
                    };
                };
            };
            /** @description `VALIDATION_ERROR` or `INVALID_JSON` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INVALID_STATE_TRANSITION` or `IDEMPOTENCY_KEY_REUSED` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `VERSION_MISMATCH` */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    resolveAlert: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /**
                 * @description Makes the request safe to repeat: for 24 hours the same key with the same body answers the first answer again, and with another body 409 `IDEMPOTENCY_KEY_REUSED`.
                 * @example ticket-4711-acknowledge
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description The `ETag` of the version that the change is meant for. When the record has changed since, the answer is 412 `VERSION_MISMATCH`.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /**
                 * @description The id, as lists show it.
                 * @example alr_01938f3a7c2e7d4ab1c2d3e4f5061728
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "note": "fixed by restart"
                 *     }
                 */
                "application/json": components["schemas"]["AlertNote"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "alr_01938f3a7c2e7d4ab1c2d3e4f5061728",
                     *         "title": "High CPU",
                     *         "description": "CPU > 95 % for 10 min",
                     *         "severity": "critical",
                     *         "status": "resolved",
                     *         "source": "prometheus",
                     *         "fingerprint": "cpu-web-01",
                     *         "fingerprintSource": "explicit",
                     *         "labels": {
                     *           "host": "web-01",
                     *           "region": "eu"
                     *         },
                     *         "annotations": {
                     *           "runbook": "https://runbooks.example.com/cpu"
                     *         },
                     *         "clientId": null,
                     *         "integrationId": "int_01938f3a7c2e7d4ab1c2d3e4f5060001",
                     *         "incidentId": null,
                     *         "assigneeId": null,
                     *         "firstOccurredAt": "2026-11-20T14:00:00.000Z",
                     *         "lastOccurredAt": "2026-11-20T14:05:00.000Z",
                     *         "occurrenceCount": 2,
                     *         "previousAlertId": null,
                     *         "acknowledgedAt": "2026-11-20T14:06:00.000Z",
                     *         "acknowledgedBy": {
                     *           "type": "api_key",
                     *           "id": "key_01938f3a7c2e7d4ab1c2d3e4f5060002",
                     *           "name": "on-call bot"
                     *         },
                     *         "resolvedAt": "2026-11-20T14:20:00.000Z",
                     *         "resolvedBy": {
                     *           "type": "api_key",
                     *           "id": "key_01938f3a7c2e7d4ab1c2d3e4f5060002",
                     *           "name": "on-call bot"
                     *         },
                     *         "resolveReason": "api",
                     *         "suppression": null,
                     *         "createdAt": "2026-11-20T14:00:00.120Z",
                     *         "updatedAt": "2026-11-20T14:05:00.080Z",
                     *         "version": 4
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Alert"];
                    };
                };
            };
            /** @description `VALIDATION_ERROR` or `INVALID_JSON` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IDEMPOTENCY_KEY_REUSED` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `VERSION_MISMATCH` */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    bulkAlerts: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /**
                 * @description Makes the request safe to repeat: for 24 hours the same key with the same body answers the first answer again, and with another body 409 `IDEMPOTENCY_KEY_REUSED`.
                 * @example ticket-4711-acknowledge
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "action": "acknowledge",
                 *       "ids": [
                 *         "alr_01938f3a7c2e7d4ab1c2d3e4f5061728"
                 *       ],
                 *       "note": "storm"
                 *     }
                 */
                "application/json": components["schemas"]["BulkAlerts"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "action": "acknowledge",
                     *         "requested": 1,
                     *         "succeeded": 1,
                     *         "failed": 0,
                     *         "results": [
                     *           {
                     *             "id": "alr_01938f3a7c2e7d4ab1c2d3e4f5061728",
                     *             "ok": true,
                     *             "changed": true,
                     *             "status": "acknowledged",
                     *             "error": null
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["BulkResult"];
                    };
                };
            };
            /** @description `VALIDATION_ERROR` or `INVALID_JSON` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IDEMPOTENCY_KEY_REUSED` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listIncidents: {
        parameters: {
            query?: {
                /**
                 * @description Page size. A larger value is lowered to 100.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description `meta.nextCursor` of the page before. Filters and sort must be the same as then.
                 * @example WzEsInBhWDZKOFJYZ0c3TCIsIjIwMjYtMTEtMjBUMTQ6MDU6MDAuMDAwWiIsIjAxOTM4ZjNhLTdjMmUtN2Q0YS1iMWMyLWQzZTRmNTA2MTcyOCJd
                 */
                cursor?: string;
                /**
                 * @description Only incidents in one of these states.
                 * @example [
                 *       "triggered",
                 *       "acknowledged"
                 *     ]
                 */
                status?: components["schemas"]["IncidentStatus"][];
                /**
                 * @description Only incidents of one of these severities.
                 * @example [
                 *       "critical",
                 *       "high"
                 *     ]
                 */
                severity?: components["schemas"]["Severity"][];
                /**
                 * @description Only incidents about one of these clients.
                 * @example [
                 *       "cli_01938f3a7c2e7d4ab1c2d3e4f5060020"
                 *     ]
                 */
                clientId?: string[];
                /**
                 * @description Only incidents that one of these members works on.
                 * @example [
                 *       "usr_01938f3a7c2e7d4ab1c2d3e4f5060030"
                 *     ]
                 */
                assigneeId?: string[];
                /**
                 * @description Text that occurs in the title, in any case.
                 * @example checkout
                 */
                q?: string;
                /**
                 * @description Only incidents that were created at or after this time.
                 * @example 2026-11-20T14:00:00Z
                 */
                since?: string;
                /**
                 * @description Only incidents that were created before this time.
                 * @example 2026-11-20T14:00:00Z
                 */
                until?: string;
                /**
                 * @description The field to sort by; `-` in front is descending. Severities are ordered: info is the lowest, critical the highest.
                 * @example -createdAt
                 */
                sort?: "createdAt" | "-createdAt" | "number" | "-number" | "severity" | "-severity";
            };
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "inc_01938f3a7c2e7d4ab1c2d3e4f5060040",
                     *           "number": 42,
                     *           "title": "Checkout is slow",
                     *           "summary": null,
                     *           "severity": "high",
                     *           "status": "triggered",
                     *           "clientId": null,
                     *           "assigneeIds": [
                     *             "usr_01938f3a7c2e7d4ab1c2d3e4f5060030"
                     *           ],
                     *           "workflowId": null,
                     *           "groupKey": null,
                     *           "alertCount": 1,
                     *           "openAlertCount": 1,
                     *           "triggeredAt": "2026-11-20T14:00:00.000Z",
                     *           "acknowledgedAt": null,
                     *           "acknowledgedBy": null,
                     *           "resolvedAt": null,
                     *           "resolvedBy": null,
                     *           "createdAt": "2026-11-20T14:00:00.000Z",
                     *           "updatedAt": "2026-11-20T14:00:00.000Z",
                     *           "version": 1
                     *         }
                     *       ],
                     *       "meta": {
                     *         "limit": 50,
                     *         "hasMore": false,
                     *         "nextCursor": null,
                     *         "total": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Incident"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            /** @description `VALIDATION_ERROR` or `INVALID_CURSOR` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createIncident: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /**
                 * @description Makes the request safe to repeat: for 24 hours the same key with the same body answers the first answer again, and with another body 409 `IDEMPOTENCY_KEY_REUSED`.
                 * @example ticket-4711-acknowledge
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Checkout is slow",
                 *       "severity": "high",
                 *       "assigneeIds": [
                 *         "usr_01938f3a7c2e7d4ab1c2d3e4f5060030"
                 *       ],
                 *       "alertIds": [
                 *         "alr_01938f3a7c2e7d4ab1c2d3e4f5061728"
                 *       ],
                 *       "note": "reported by phone"
                 *     }
                 */
                "application/json": components["schemas"]["PostIncident"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "inc_01938f3a7c2e7d4ab1c2d3e4f5060040",
                     *         "number": 42,
                     *         "title": "Checkout is slow",
                     *         "summary": null,
                     *         "severity": "high",
                     *         "status": "triggered",
                     *         "clientId": null,
                     *         "assigneeIds": [
                     *           "usr_01938f3a7c2e7d4ab1c2d3e4f5060030"
                     *         ],
                     *         "workflowId": null,
                     *         "groupKey": null,
                     *         "alertCount": 1,
                     *         "openAlertCount": 1,
                     *         "triggeredAt": "2026-11-20T14:00:00.000Z",
                     *         "acknowledgedAt": null,
                     *         "acknowledgedBy": null,
                     *         "resolvedAt": null,
                     *         "resolvedBy": null,
                     *         "createdAt": "2026-11-20T14:00:00.000Z",
                     *         "updatedAt": "2026-11-20T14:00:00.000Z",
                     *         "version": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Incident"];
                    };
                };
            };
            /** @description `VALIDATION_ERROR` or `INVALID_JSON` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CONFLICT` or `IDEMPOTENCY_KEY_REUSED` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getIncident: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /**
                 * @description The id, as lists show it.
                 * @example inc_01938f3a7c2e7d4ab1c2d3e4f5060040
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "inc_01938f3a7c2e7d4ab1c2d3e4f5060040",
                     *         "number": 42,
                     *         "title": "Checkout is slow",
                     *         "summary": null,
                     *         "severity": "high",
                     *         "status": "triggered",
                     *         "clientId": null,
                     *         "assigneeIds": [
                     *           "usr_01938f3a7c2e7d4ab1c2d3e4f5060030"
                     *         ],
                     *         "workflowId": null,
                     *         "groupKey": null,
                     *         "alertCount": 1,
                     *         "openAlertCount": 1,
                     *         "triggeredAt": "2026-11-20T14:00:00.000Z",
                     *         "acknowledgedAt": null,
                     *         "acknowledgedBy": null,
                     *         "resolvedAt": null,
                     *         "resolvedBy": null,
                     *         "createdAt": "2026-11-20T14:00:00.000Z",
                     *         "updatedAt": "2026-11-20T14:00:00.000Z",
                     *         "version": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Incident"];
                    };
                };
            };
            /** @description `VALIDATION_ERROR` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateIncident: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /**
                 * @description The `ETag` of the version that the change is meant for. When the record has changed since, the answer is 412 `VERSION_MISMATCH`.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /**
                 * @description The id, as lists show it.
                 * @example inc_01938f3a7c2e7d4ab1c2d3e4f5060040
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "acknowledged",
                 *       "note": "on it"
                 *     }
                 */
                "application/json": components["schemas"]["PutIncident"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "inc_01938f3a7c2e7d4ab1c2d3e4f5060040",
                     *         "number": 42,
                     *         "title": "Checkout is slow",
                     *         "summary": null,
                     *         "severity": "high",
                     *         "status": "acknowledged",
                     *         "clientId": null,
                     *         "assigneeIds": [
                     *           "usr_01938f3a7c2e7d4ab1c2d3e4f5060030"
                     *         ],
                     *         "workflowId": null,
                     *         "groupKey": null,
                     *         "alertCount": 1,
                     *         "openAlertCount": 1,
                     *         "triggeredAt": "2026-11-20T14:00:00.000Z",
                     *         "acknowledgedAt": "2026-11-20T14:06:00.000Z",
                     *         "acknowledgedBy": {
                     *           "type": "api_key",
                     *           "id": "key_01938f3a7c2e7d4ab1c2d3e4f5060002",
                     *           "name": "on-call bot"
                     *         },
                     *         "resolvedAt": null,
                     *         "resolvedBy": null,
                     *         "createdAt": "2026-11-20T14:00:00.000Z",
                     *         "updatedAt": "2026-11-20T14:06:00.000Z",
                     *         "version": 2
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Incident"];
                    };
                };
            };
            /** @description `VALIDATION_ERROR` or `INVALID_JSON` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INVALID_STATE_TRANSITION` or `CONFLICT` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `VERSION_MISMATCH` */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /**
                 * @description Page size. A larger value is lowered to 100.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description `meta.nextCursor` of the page before. Filters and sort must be the same as then.
                 * @example WzEsInBhWDZKOFJYZ0c3TCIsIjIwMjYtMTEtMjBUMTQ6MDU6MDAuMDAwWiIsIjAxOTM4ZjNhLTdjMmUtN2Q0YS1iMWMyLWQzZTRmNTA2MTcyOCJd
                 */
                cursor?: string;
                /**
                 * @description Text that occurs in the name, in any case.
                 * @example bot
                 */
                q?: string;
                /**
                 * @description The field to sort by; `-` in front is descending.
                 * @example -createdAt
                 */
                sort?: "createdAt" | "-createdAt" | "name" | "-name";
            };
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "key_01938f3a7c2e7d4ab1c2d3e4f5060002",
                     *           "name": "on-call bot",
                     *           "scopes": [
                     *             "alerts:read",
                     *             "alerts:write"
                     *           ],
                     *           "environment": "live",
                     *           "keyPrefix": "svc_live_9fK2",
                     *           "expiry": null,
                     *           "lastUsedAt": "2026-11-20T14:05:00.000Z",
                     *           "createdBy": {
                     *             "type": "service",
                     *             "id": null,
                     *             "name": "setup"
                     *           },
                     *           "createdAt": "2026-11-20T13:00:00.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "limit": 50,
                     *         "hasMore": false,
                     *         "nextCursor": null,
                     *         "total": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ApiKey"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            /** @description `VALIDATION_ERROR` or `INVALID_CURSOR` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /**
                 * @description Makes the request safe to repeat: for 24 hours the same key with the same body answers the first answer again, and with another body 409 `IDEMPOTENCY_KEY_REUSED`.
                 * @example ticket-4711-acknowledge
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "on-call bot",
                 *       "scopes": [
                 *         "alerts:read",
                 *         "alerts:write"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["PostApiKey"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "key_01938f3a7c2e7d4ab1c2d3e4f5060002",
                     *         "name": "on-call bot",
                     *         "scopes": [
                     *           "alerts:read",
                     *           "alerts:write"
                     *         ],
                     *         "environment": "live",
                     *         "keyPrefix": "svc_live_9fK2",
                     *         "expiry": null,
                     *         "lastUsedAt": null,
                     *         "createdBy": {
                     *           "type": "service",
                     *           "id": null,
                     *           "name": "setup"
                     *         },
                     *         "createdAt": "2026-11-20T13:00:00.000Z",
                     *         "key": "svc_live_9fK2…"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ApiKeyWithSecret"];
                    };
                };
            };
            /** @description `VALIDATION_ERROR` or `INVALID_JSON` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IDEMPOTENCY_KEY_REUSED` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /**
                 * @description The id, as lists show it.
                 * @example key_01938f3a7c2e7d4ab1c2d3e4f5060002
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `VALIDATION_ERROR` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listAuditLog: {
        parameters: {
            query?: {
                /**
                 * @description Page size. A larger value is lowered to 100.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description `meta.nextCursor` of the page before. Filters and sort must be the same as then.
                 * @example WzEsInBhWDZKOFJYZ0c3TCIsIjIwMjYtMTEtMjBUMTQ6MDU6MDAuMDAwWiIsIjAxOTM4ZjNhLTdjMmUtN2Q0YS1iMWMyLWQzZTRmNTA2MTcyOCJd
                 */
                cursor?: string;
                /**
                 * @description Only entries of one of these types.
                 * @example [
                 *       "api_key.used"
                 *     ]
                 */
                type?: string[];
                /**
                 * @description Only what one of these keys, members or workflows did.
                 * @example [
                 *       "key_01938f3a7c2e7d4ab1c2d3e4f5060002"
                 *     ]
                 */
                actorId?: string[];
                /**
                 * @description Only what happened to one of these records.
                 * @example [
                 *       "alr_01938f3a7c2e7d4ab1c2d3e4f5061728"
                 *     ]
                 */
                resourceId?: string[];
                /**
                 * @description Only entries at or after this time.
                 * @example 2026-11-20T14:00:00Z
                 */
                since?: string;
                /**
                 * @description Only entries before this time.
                 * @example 2026-11-20T14:00:00Z
                 */
                until?: string;
            };
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "aud_01938f3a7c2e7d4ab1c2d3e4f5060011",
                     *           "type": "api_key.used",
                     *           "occurredAt": "2026-11-20T14:05:00.000Z",
                     *           "actor": {
                     *             "type": "api_key",
                     *             "id": "key_01938f3a7c2e7d4ab1c2d3e4f5060002",
                     *             "name": "on-call bot"
                     *           },
                     *           "ip": "192.0.2.7",
                     *           "userAgent": "curl/8.0",
                     *           "requestId": "4f1f0a5e",
                     *           "resource": {
                     *             "type": "operation",
                     *             "id": "listAlerts"
                     *           },
                     *           "changes": []
                     *         }
                     *       ],
                     *       "meta": {
                     *         "limit": 50,
                     *         "hasMore": false,
                     *         "nextCursor": null,
                     *         "total": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["AuditEntry"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            /** @description `VALIDATION_ERROR` or `INVALID_CURSOR` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listAlerts: {
        parameters: {
            query?: {
                /**
                 * @description Page size. A larger value is lowered to 100.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description `meta.nextCursor` of the page before. Filters and sort must be the same as then.
                 * @example WzEsInBhWDZKOFJYZ0c3TCIsIjIwMjYtMTEtMjBUMTQ6MDU6MDAuMDAwWiIsIjAxOTM4ZjNhLTdjMmUtN2Q0YS1iMWMyLWQzZTRmNTA2MTcyOCJd
                 */
                cursor?: string;
                /**
                 * @description Only alerts in one of these states.
                 * @example [
                 *       "firing",
                 *       "acknowledged"
                 *     ]
                 */
                status?: ("firing" | "resolved" | "acknowledged" | "suppressed")[];
                /**
                 * @description Only alerts of one of these severities.
                 * @example [
                 *       "critical",
                 *       "high"
                 *     ]
                 */
                severity?: ("critical" | "high" | "medium" | "low" | "info")[];
                /**
                 * @description Only alerts from one of these systems.
                 * @example [
                 *       "prometheus"
                 *     ]
                 */
                source?: string[];
                /**
                 * @description Only alerts with one of these fingerprints.
                 * @example [
                 *       "cpu-web-01"
                 *     ]
                 */
                fingerprint?: string[];
                /**
                 * @description Only alerts about one of these clients.
                 * @example [
                 *       "cli_01938f3a7c2e7d4ab1c2d3e4f5060020"
                 *     ]
                 */
                clientId?: string[];
                /**
                 * @description Only alerts from one of these integrations.
                 * @example [
                 *       "int_01938f3a7c2e7d4ab1c2d3e4f5060001"
                 *     ]
                 */
                integrationId?: string[];
                /**
                 * @description Only alerts in one of these incidents.
                 * @example [
                 *       "inc_01938f3a7c2e7d4ab1c2d3e4f5060040"
                 *     ]
                 */
                incidentId?: string[];
                /**
                 * @description Only alerts that one of these members works on.
                 * @example [
                 *       "usr_01938f3a7c2e7d4ab1c2d3e4f5060030"
                 *     ]
                 */
                assigneeId?: string[];
                /**
                 * @description `key:value`, repeatable: an alert has to carry all of them. A value may hold commas and colons.
                 * @example [
                 *       "region:eu"
                 *     ]
                 */
                label?: string[];
                /**
                 * @description Text that occurs in the title, in any case.
                 * @example cpu
                 */
                q?: string;
                /**
                 * @description Only alerts whose last occurrence is at or after this time.
                 * @example 2026-11-20T14:00:00Z
                 */
                since?: string;
                /**
                 * @description Only alerts whose last occurrence is before this time.
                 * @example 2026-11-20T14:00:00Z
                 */
                until?: string;
                /**
                 * @description The field to sort by; `-` in front is descending. Severities are ordered: info is the lowest, critical the highest.
                 * @example -lastOccurredAt
                 */
                sort?: "lastOccurredAt" | "-lastOccurredAt" | "createdAt" | "-createdAt" | "severity" | "-severity";
            };
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "alr_01938f3a7c2e7d4ab1c2d3e4f5061728",
                     *           "title": "High CPU",
                     *           "description": "CPU > 95 % for 10 min",
                     *           "severity": "critical",
                     *           "status": "firing",
                     *           "source": "prometheus",
                     *           "fingerprint": "cpu-web-01",
                     *           "fingerprintSource": "explicit",
                     *           "labels": {
                     *             "host": "web-01",
                     *             "region": "eu"
                     *           },
                     *           "annotations": {
                     *             "runbook": "https://runbooks.example.com/cpu"
                     *           },
                     *           "clientId": null,
                     *           "integrationId": "int_01938f3a7c2e7d4ab1c2d3e4f5060001",
                     *           "incidentId": null,
                     *           "assigneeId": null,
                     *           "firstOccurredAt": "2026-11-20T14:00:00.000Z",
                     *           "lastOccurredAt": "2026-11-20T14:05:00.000Z",
                     *           "occurrenceCount": 2,
                     *           "previousAlertId": null,
                     *           "acknowledgedAt": null,
                     *           "acknowledgedBy": null,
                     *           "resolvedAt": null,
                     *           "resolvedBy": null,
                     *           "resolveReason": null,
                     *           "suppression": null,
                     *           "createdAt": "2026-11-20T14:00:00.120Z",
                     *           "updatedAt": "2026-11-20T14:05:00.080Z",
                     *           "version": 2
                     *         }
                     *       ],
                     *       "meta": {
                     *         "limit": 50,
                     *         "hasMore": false,
                     *         "nextCursor": null,
                     *         "total": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Alert"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            /** @description `VALIDATION_ERROR` or `INVALID_CURSOR` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAlert: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /**
                 * @description The id, as lists show it.
                 * @example alr_01938f3a7c2e7d4ab1c2d3e4f5061728
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "alr_01938f3a7c2e7d4ab1c2d3e4f5061728",
                     *         "title": "High CPU",
                     *         "description": "CPU > 95 % for 10 min",
                     *         "severity": "critical",
                     *         "status": "firing",
                     *         "source": "prometheus",
                     *         "fingerprint": "cpu-web-01",
                     *         "fingerprintSource": "explicit",
                     *         "labels": {
                     *           "host": "web-01",
                     *           "region": "eu"
                     *         },
                     *         "annotations": {
                     *           "runbook": "https://runbooks.example.com/cpu"
                     *         },
                     *         "clientId": null,
                     *         "integrationId": "int_01938f3a7c2e7d4ab1c2d3e4f5060001",
                     *         "incidentId": null,
                     *         "assigneeId": null,
                     *         "firstOccurredAt": "2026-11-20T14:00:00.000Z",
                     *         "lastOccurredAt": "2026-11-20T14:05:00.000Z",
                     *         "occurrenceCount": 2,
                     *         "previousAlertId": null,
                     *         "acknowledgedAt": null,
                     *         "acknowledgedBy": null,
                     *         "resolvedAt": null,
                     *         "resolvedBy": null,
                     *         "resolveReason": null,
                     *         "suppression": null,
                     *         "createdAt": "2026-11-20T14:00:00.120Z",
                     *         "updatedAt": "2026-11-20T14:05:00.080Z",
                     *         "version": 2
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Alert"];
                    };
                };
            };
            /** @description `VALIDATION_ERROR` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAlertTimeline: {
        parameters: {
            query?: {
                /**
                 * @description Page size. A larger value is lowered to 100.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description `meta.nextCursor` of the page before. Filters and sort must be the same as then.
                 * @example WzEsInBhWDZKOFJYZ0c3TCIsIjIwMjYtMTEtMjBUMTQ6MDU6MDAuMDAwWiIsIjAxOTM4ZjNhLTdjMmUtN2Q0YS1iMWMyLWQzZTRmNTA2MTcyOCJd
                 */
                cursor?: string;
            };
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /**
                 * @description The id, as lists show it.
                 * @example alr_01938f3a7c2e7d4ab1c2d3e4f5061728
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "tml_01938f3a7c2e7d4ab1c2d3e4f5060003",
                     *           "type": "alert.acknowledged",
                     *           "occurredAt": "2026-11-20T14:06:00.000Z",
                     *           "actor": {
                     *             "type": "api_key",
                     *             "id": "key_01938f3a7c2e7d4ab1c2d3e4f5060002",
                     *             "name": "on-call bot"
                     *           },
                     *           "cause": {
                     *             "type": "request",
                     *             "id": null
                     *           },
                     *           "changes": [
                     *             {
                     *               "field": "status",
                     *               "before": "firing",
                     *               "after": "acknowledged"
                     *             }
                     *           ],
                     *           "note": "looking into it"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "limit": 50,
                     *         "hasMore": false,
                     *         "nextCursor": null,
                     *         "total": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["TimelineEntry"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            /** @description `VALIDATION_ERROR` or `INVALID_CURSOR` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listIncidentAlerts: {
        parameters: {
            query?: {
                /**
                 * @description Page size. A larger value is lowered to 100.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description `meta.nextCursor` of the page before. Filters and sort must be the same as then.
                 * @example WzEsInBhWDZKOFJYZ0c3TCIsIjIwMjYtMTEtMjBUMTQ6MDU6MDAuMDAwWiIsIjAxOTM4ZjNhLTdjMmUtN2Q0YS1iMWMyLWQzZTRmNTA2MTcyOCJd
                 */
                cursor?: string;
            };
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /**
                 * @description The id, as lists show it.
                 * @example inc_01938f3a7c2e7d4ab1c2d3e4f5060040
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "alr_01938f3a7c2e7d4ab1c2d3e4f5061728",
                     *           "title": "High CPU",
                     *           "description": "CPU > 95 % for 10 min",
                     *           "severity": "critical",
                     *           "status": "firing",
                     *           "source": "prometheus",
                     *           "fingerprint": "cpu-web-01",
                     *           "fingerprintSource": "explicit",
                     *           "labels": {
                     *             "host": "web-01",
                     *             "region": "eu"
                     *           },
                     *           "annotations": {
                     *             "runbook": "https://runbooks.example.com/cpu"
                     *           },
                     *           "clientId": null,
                     *           "integrationId": "int_01938f3a7c2e7d4ab1c2d3e4f5060001",
                     *           "incidentId": null,
                     *           "assigneeId": null,
                     *           "firstOccurredAt": "2026-11-20T14:00:00.000Z",
                     *           "lastOccurredAt": "2026-11-20T14:05:00.000Z",
                     *           "occurrenceCount": 2,
                     *           "previousAlertId": null,
                     *           "acknowledgedAt": null,
                     *           "acknowledgedBy": null,
                     *           "resolvedAt": null,
                     *           "resolvedBy": null,
                     *           "resolveReason": null,
                     *           "suppression": null,
                     *           "createdAt": "2026-11-20T14:00:00.120Z",
                     *           "updatedAt": "2026-11-20T14:05:00.080Z",
                     *           "version": 2
                     *         }
                     *       ],
                     *       "meta": {
                     *         "limit": 50,
                     *         "hasMore": false,
                     *         "nextCursor": null,
                     *         "total": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Alert"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            /** @description `VALIDATION_ERROR` or `INVALID_CURSOR` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getIncidentTimeline: {
        parameters: {
            query?: {
                /**
                 * @description Page size. A larger value is lowered to 100.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description `meta.nextCursor` of the page before. Filters and sort must be the same as then.
                 * @example WzEsInBhWDZKOFJYZ0c3TCIsIjIwMjYtMTEtMjBUMTQ6MDU6MDAuMDAwWiIsIjAxOTM4ZjNhLTdjMmUtN2Q0YS1iMWMyLWQzZTRmNTA2MTcyOCJd
                 */
                cursor?: string;
            };
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /**
                 * @description The id, as lists show it.
                 * @example inc_01938f3a7c2e7d4ab1c2d3e4f5060040
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "tml_01938f3a7c2e7d4ab1c2d3e4f5060041",
                     *           "type": "incident.acknowledged",
                     *           "occurredAt": "2026-11-20T14:06:00.000Z",
                     *           "actor": {
                     *             "type": "api_key",
                     *             "id": "key_01938f3a7c2e7d4ab1c2d3e4f5060002",
                     *             "name": "on-call bot"
                     *           },
                     *           "cause": {
                     *             "type": "request",
                     *             "id": "4f1f0a5e"
                     *           },
                     *           "changes": [
                     *             {
                     *               "field": "status",
                     *               "before": "triggered",
                     *               "after": "acknowledged"
                     *             }
                     *           ],
                     *           "note": "on it"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "limit": 50,
                     *         "hasMore": false,
                     *         "nextCursor": null,
                     *         "total": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["IncidentTimelineEntry"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            /** @description `VALIDATION_ERROR` or `INVALID_CURSOR` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listIntegrations: {
        parameters: {
            query?: {
                /**
                 * @description Page size. A larger value is lowered to 100.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description `meta.nextCursor` of the page before. Filters and sort must be the same as then.
                 * @example WzEsInBhWDZKOFJYZ0c3TCIsIjIwMjYtMTEtMjBUMTQ6MDU6MDAuMDAwWiIsIjAxOTM4ZjNhLTdjMmUtN2Q0YS1iMWMyLWQzZTRmNTA2MTcyOCJd
                 */
                cursor?: string;
                /**
                 * @description Only integrations of one of these types.
                 * @example [
                 *       "generic"
                 *     ]
                 */
                type?: ("generic" | "alertmanager" | "grafana" | "datadog" | "new_relic" | "sentry" | "elastic" | "netdata" | "dynatrace" | "splunk" | "cloudwatch" | "azure_monitor" | "google_cloud" | "zabbix" | "icinga" | "nagios" | "checkmk" | "prtg" | "uptime_kuma" | "uptimerobot" | "pingdom" | "healthchecks" | "statuscake" | "pagerduty_events_v2" | "opsgenie")[];
                /**
                 * @description Only those that take events, or only those that are switched off.
                 * @example true
                 */
                enabled?: "true" | "false";
                /**
                 * @description Only integrations of these clients.
                 * @example [
                 *       "cli_01938f3a7c2e7d4ab1c2d3e4f5060020"
                 *     ]
                 */
                clientId?: string[];
                /**
                 * @description Text that occurs in the name, in any case.
                 * @example prometheus
                 */
                q?: string;
                /**
                 * @description The field to sort by; `-` in front is descending.
                 * @example -createdAt
                 */
                sort?: "name" | "-name" | "createdAt" | "-createdAt";
            };
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "int_01938f3a7c2e7d4ab1c2d3e4f5060001",
                     *           "name": "Prometheus EU",
                     *           "type": "generic",
                     *           "environment": "live",
                     *           "enabled": true,
                     *           "clientId": null,
                     *           "ingestUrl": "https://alerts.example.com/api/inbound/webhook/****************************Zk3Q",
                     *           "tokenHint": "Zk3Q",
                     *           "fieldMappings": [
                     *             {
                     *               "target": "title",
                     *               "source": "check.name"
                     *             },
                     *             {
                     *               "target": "labels.host",
                     *               "source": "host"
                     *             }
                     *           ],
                     *           "itemsPath": null,
                     *           "parseJson": [],
                     *           "severityMap": {
                     *             "P1": "critical"
                     *           },
                     *           "statusMap": null,
                     *           "defaultSeverity": "medium",
                     *           "staticLabels": {
                     *             "team": "sre"
                     *           },
                     *           "ignoreWhen": [],
                     *           "dedupScope": "integration",
                     *           "autoResolveAfterSeconds": null,
                     *           "lastEventAt": "2026-11-20T14:05:00.000Z",
                     *           "rateLimited": {
                     *             "count": 0,
                     *             "lastAt": null
                     *           },
                     *           "createdAt": "2026-11-20T13:00:00.000Z",
                     *           "updatedAt": "2026-11-20T13:00:00.000Z",
                     *           "version": 1
                     *         }
                     *       ],
                     *       "meta": {
                     *         "limit": 50,
                     *         "hasMore": false,
                     *         "nextCursor": null,
                     *         "total": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Integration"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            /** @description `VALIDATION_ERROR` or `INVALID_CURSOR` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createIntegration: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /**
                 * @description Makes the request safe to repeat: for 24 hours the same key with the same body answers the first answer again, and with another body 409 `IDEMPOTENCY_KEY_REUSED`.
                 * @example ticket-4711-acknowledge
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Prometheus EU",
                 *       "type": "generic",
                 *       "severityMap": {
                 *         "P1": "critical"
                 *       },
                 *       "defaultSeverity": "medium",
                 *       "staticLabels": {
                 *         "team": "sre"
                 *       },
                 *       "fieldMappings": [
                 *         {
                 *           "target": "title",
                 *           "source": "check.name"
                 *         },
                 *         {
                 *           "target": "labels.host",
                 *           "source": "host"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["PostIntegration"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "int_01938f3a7c2e7d4ab1c2d3e4f5060001",
                     *         "name": "Prometheus EU",
                     *         "type": "generic",
                     *         "environment": "live",
                     *         "enabled": true,
                     *         "clientId": null,
                     *         "ingestUrl": "https://alerts.example.com/api/inbound/webhook/0A1b2C3d4E5f6G7h8I9j0K1l2M3nZk3Q",
                     *         "tokenHint": "Zk3Q",
                     *         "fieldMappings": [
                     *           {
                     *             "target": "title",
                     *             "source": "check.name"
                     *           },
                     *           {
                     *             "target": "labels.host",
                     *             "source": "host"
                     *           }
                     *         ],
                     *         "itemsPath": null,
                     *         "parseJson": [],
                     *         "severityMap": {
                     *           "P1": "critical"
                     *         },
                     *         "statusMap": null,
                     *         "defaultSeverity": "medium",
                     *         "staticLabels": {
                     *           "team": "sre"
                     *         },
                     *         "ignoreWhen": [],
                     *         "dedupScope": "integration",
                     *         "autoResolveAfterSeconds": null,
                     *         "lastEventAt": "2026-11-20T14:05:00.000Z",
                     *         "rateLimited": {
                     *           "count": 0,
                     *           "lastAt": null
                     *         },
                     *         "createdAt": "2026-11-20T13:00:00.000Z",
                     *         "updatedAt": "2026-11-20T13:00:00.000Z",
                     *         "version": 1,
                     *         "token": "0A1b2C3d4E5f6G7h8I9j0K1l2M3nZk3Q"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["IntegrationWithToken"];
                    };
                };
            };
            /** @description `VALIDATION_ERROR` or `INVALID_JSON` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IDEMPOTENCY_KEY_REUSED` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getIntegration: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /**
                 * @description The id, as lists show it.
                 * @example int_01938f3a7c2e7d4ab1c2d3e4f5060001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "int_01938f3a7c2e7d4ab1c2d3e4f5060001",
                     *         "name": "Prometheus EU",
                     *         "type": "generic",
                     *         "environment": "live",
                     *         "enabled": true,
                     *         "clientId": null,
                     *         "ingestUrl": "https://alerts.example.com/api/inbound/webhook/****************************Zk3Q",
                     *         "tokenHint": "Zk3Q",
                     *         "fieldMappings": [
                     *           {
                     *             "target": "title",
                     *             "source": "check.name"
                     *           },
                     *           {
                     *             "target": "labels.host",
                     *             "source": "host"
                     *           }
                     *         ],
                     *         "itemsPath": null,
                     *         "parseJson": [],
                     *         "severityMap": {
                     *           "P1": "critical"
                     *         },
                     *         "statusMap": null,
                     *         "defaultSeverity": "medium",
                     *         "staticLabels": {
                     *           "team": "sre"
                     *         },
                     *         "ignoreWhen": [],
                     *         "dedupScope": "integration",
                     *         "autoResolveAfterSeconds": null,
                     *         "lastEventAt": "2026-11-20T14:05:00.000Z",
                     *         "rateLimited": {
                     *           "count": 0,
                     *           "lastAt": null
                     *         },
                     *         "createdAt": "2026-11-20T13:00:00.000Z",
                     *         "updatedAt": "2026-11-20T13:00:00.000Z",
                     *         "version": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Integration"];
                    };
                };
            };
            /** @description `VALIDATION_ERROR` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateIntegration: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /**
                 * @description The `ETag` of the version that the change is meant for. When the record has changed since, the answer is 412 `VERSION_MISMATCH`.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /**
                 * @description The id, as lists show it.
                 * @example int_01938f3a7c2e7d4ab1c2d3e4f5060001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "enabled": true,
                 *       "defaultSeverity": "medium"
                 *     }
                 */
                "application/json": components["schemas"]["PutIntegration"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "int_01938f3a7c2e7d4ab1c2d3e4f5060001",
                     *         "name": "Prometheus EU",
                     *         "type": "generic",
                     *         "environment": "live",
                     *         "enabled": true,
                     *         "clientId": null,
                     *         "ingestUrl": "https://alerts.example.com/api/inbound/webhook/****************************Zk3Q",
                     *         "tokenHint": "Zk3Q",
                     *         "fieldMappings": [
                     *           {
                     *             "target": "title",
                     *             "source": "check.name"
                     *           },
                     *           {
                     *             "target": "labels.host",
                     *             "source": "host"
                     *           }
                     *         ],
                     *         "itemsPath": null,
                     *         "parseJson": [],
                     *         "severityMap": {
                     *           "P1": "critical"
                     *         },
                     *         "statusMap": null,
                     *         "defaultSeverity": "medium",
                     *         "staticLabels": {
                     *           "team": "sre"
                     *         },
                     *         "ignoreWhen": [],
                     *         "dedupScope": "integration",
                     *         "autoResolveAfterSeconds": null,
                     *         "lastEventAt": "2026-11-20T14:05:00.000Z",
                     *         "rateLimited": {
                     *           "count": 0,
                     *           "lastAt": null
                     *         },
                     *         "createdAt": "2026-11-20T13:00:00.000Z",
                     *         "updatedAt": "2026-11-20T13:00:00.000Z",
                     *         "version": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Integration"];
                    };
                };
            };
            /** @description `VALIDATION_ERROR` or `INVALID_JSON` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `VERSION_MISMATCH` */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteIntegration: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /**
                 * @description The `ETag` of the version that the change is meant for. When the record has changed since, the answer is 412 `VERSION_MISMATCH`.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /**
                 * @description The id, as lists show it.
                 * @example int_01938f3a7c2e7d4ab1c2d3e4f5060001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `VALIDATION_ERROR` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RESOURCE_IN_USE` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `VERSION_MISMATCH` */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    rotateIntegrationToken: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /**
                 * @description Makes the request safe to repeat: for 24 hours the same key with the same body answers the first answer again, and with another body 409 `IDEMPOTENCY_KEY_REUSED`.
                 * @example ticket-4711-acknowledge
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description The `ETag` of the version that the change is meant for. When the record has changed since, the answer is 412 `VERSION_MISMATCH`.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /**
                 * @description The id, as lists show it.
                 * @example int_01938f3a7c2e7d4ab1c2d3e4f5060001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "graceSeconds": 3600
                 *     }
                 */
                "application/json": components["schemas"]["RotateToken"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "int_01938f3a7c2e7d4ab1c2d3e4f5060001",
                     *         "name": "Prometheus EU",
                     *         "type": "generic",
                     *         "environment": "live",
                     *         "enabled": true,
                     *         "clientId": null,
                     *         "ingestUrl": "https://alerts.example.com/api/inbound/webhook/0A1b2C3d4E5f6G7h8I9j0K1l2M3nZk3Q",
                     *         "tokenHint": "Zk3Q",
                     *         "fieldMappings": [
                     *           {
                     *             "target": "title",
                     *             "source": "check.name"
                     *           },
                     *           {
                     *             "target": "labels.host",
                     *             "source": "host"
                     *           }
                     *         ],
                     *         "itemsPath": null,
                     *         "parseJson": [],
                     *         "severityMap": {
                     *           "P1": "critical"
                     *         },
                     *         "statusMap": null,
                     *         "defaultSeverity": "medium",
                     *         "staticLabels": {
                     *           "team": "sre"
                     *         },
                     *         "ignoreWhen": [],
                     *         "dedupScope": "integration",
                     *         "autoResolveAfterSeconds": null,
                     *         "lastEventAt": "2026-11-20T14:05:00.000Z",
                     *         "rateLimited": {
                     *           "count": 0,
                     *           "lastAt": null
                     *         },
                     *         "createdAt": "2026-11-20T13:00:00.000Z",
                     *         "updatedAt": "2026-11-20T13:00:00.000Z",
                     *         "version": 2,
                     *         "token": "0A1b2C3d4E5f6G7h8I9j0K1l2M3nZk3Q"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["IntegrationWithToken"];
                    };
                };
            };
            /** @description `VALIDATION_ERROR` or `INVALID_JSON` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IDEMPOTENCY_KEY_REUSED` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `VERSION_MISMATCH` */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    previewIntegration: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /**
                 * @description Makes the request safe to repeat: for 24 hours the same key with the same body answers the first answer again, and with another body 409 `IDEMPOTENCY_KEY_REUSED`.
                 * @example ticket-4711-acknowledge
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /**
                 * @description The id, as lists show it.
                 * @example int_01938f3a7c2e7d4ab1c2d3e4f5060001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "payload": {
                 *         "check": {
                 *           "name": "High CPU"
                 *         },
                 *         "host": "web-01",
                 *         "severity": "P1"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PreviewPayload"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "kind": "items",
                     *         "items": [
                     *           {
                     *             "outcome": "event",
                     *             "event": {
                     *               "title": "High CPU",
                     *               "severity": "critical",
                     *               "status": "firing",
                     *               "source": null,
                     *               "description": null,
                     *               "fingerprint": "5f0c…",
                     *               "fingerprintSource": "generated",
                     *               "labels": {
                     *                 "host": "web-01",
                     *                 "team": "sre"
                     *               },
                     *               "annotations": {}
                     *             },
                     *             "warnings": [],
                     *             "faults": [],
                     *             "provenance": {
                     *               "title": {
                     *                 "from": "mapping",
                     *                 "path": "check.name"
                     *               }
                     *             },
                     *             "reason": null
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Preview"];
                    };
                };
            };
            /** @description `VALIDATION_ERROR` or `INVALID_JSON` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IDEMPOTENCY_KEY_REUSED` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listIntegrationRequests: {
        parameters: {
            query?: {
                /**
                 * @description Page size. A larger value is lowered to 100.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description `meta.nextCursor` of the page before. Filters and sort must be the same as then.
                 * @example WzEsInBhWDZKOFJYZ0c3TCIsIjIwMjYtMTEtMjBUMTQ6MDU6MDAuMDAwWiIsIjAxOTM4ZjNhLTdjMmUtN2Q0YS1iMWMyLWQzZTRmNTA2MTcyOCJd
                 */
                cursor?: string;
            };
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /**
                 * @description The id, as lists show it.
                 * @example int_01938f3a7c2e7d4ab1c2d3e4f5060001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "req_01938f3a7c2e7d4ab1c2d3e4f5060009",
                     *           "receivedAt": "2026-11-20T14:05:00.000Z",
                     *           "api": "webhook",
                     *           "outcome": "accepted",
                     *           "status": 202,
                     *           "contentType": "application/json",
                     *           "payload": "{\"title\":\"High CPU\",\"severity\":\"high\"}",
                     *           "items": [
                     *             {
                     *               "outcome": "event",
                     *               "eventId": "evt_01938f3a7c2e7d4ab1c2d3e4f5060010",
                     *               "fingerprint": "5f0c…",
                     *               "warnings": []
                     *             }
                     *           ],
                     *           "note": null,
                     *           "requestId": "4f1f0a5e"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "limit": 50,
                     *         "hasMore": false,
                     *         "nextCursor": null,
                     *         "total": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["IntegrationRequest"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            /** @description `VALIDATION_ERROR` or `INVALID_CURSOR` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listIntegrationDeliveries: {
        parameters: {
            query?: {
                /**
                 * @description Page size. A larger value is lowered to 100.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description `meta.nextCursor` of the page before. Filters and sort must be the same as then.
                 * @example WzEsInBhWDZKOFJYZ0c3TCIsIjIwMjYtMTEtMjBUMTQ6MDU6MDAuMDAwWiIsIjAxOTM4ZjNhLTdjMmUtN2Q0YS1iMWMyLWQzZTRmNTA2MTcyOCJd
                 */
                cursor?: string;
            };
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /**
                 * @description The id, as lists show it.
                 * @example int_01938f3a7c2e7d4ab1c2d3e4f5060001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "req_01938f3a7c2e7d4ab1c2d3e4f5060009",
                     *           "receivedAt": "2026-11-20T14:05:00.000Z",
                     *           "api": "webhook",
                     *           "outcome": "accepted",
                     *           "status": 202,
                     *           "contentType": "application/json",
                     *           "payload": "{\"title\":\"High CPU\",\"severity\":\"high\"}",
                     *           "items": [
                     *             {
                     *               "outcome": "event",
                     *               "eventId": "evt_01938f3a7c2e7d4ab1c2d3e4f5060010",
                     *               "fingerprint": "5f0c…",
                     *               "warnings": []
                     *             }
                     *           ],
                     *           "note": null,
                     *           "requestId": "4f1f0a5e"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "limit": 50,
                     *         "hasMore": false,
                     *         "nextCursor": null,
                     *         "total": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["IntegrationRequest"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            /** @description `VALIDATION_ERROR` or `INVALID_CURSOR` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listClients: {
        parameters: {
            query?: {
                /**
                 * @description Page size. A larger value is lowered to 100.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description `meta.nextCursor` of the page before. Filters and sort must be the same as then.
                 * @example WzEsInBhWDZKOFJYZ0c3TCIsIjIwMjYtMTEtMjBUMTQ6MDU6MDAuMDAwWiIsIjAxOTM4ZjNhLTdjMmUtN2Q0YS1iMWMyLWQzZTRmNTA2MTcyOCJd
                 */
                cursor?: string;
                /**
                 * @description Only clients with one of these slugs.
                 * @example [
                 *       "acme"
                 *     ]
                 */
                slug?: string[];
                /**
                 * @description Only clients that another system calls by one of these names.
                 * @example [
                 *       "CRM-4711"
                 *     ]
                 */
                externalId?: string[];
                /**
                 * @description Text that occurs in the name, in any case.
                 * @example acme
                 */
                q?: string;
                /**
                 * @description The field to sort by; `-` in front is descending.
                 * @example name
                 */
                sort?: "name" | "-name" | "createdAt" | "-createdAt";
            };
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "cli_01938f3a7c2e7d4ab1c2d3e4f5060020",
                     *           "name": "Acme Shipping",
                     *           "slug": "acme",
                     *           "externalId": "CRM-4711",
                     *           "description": null,
                     *           "aliases": [
                     *             "acme-eu"
                     *           ],
                     *           "contacts": [
                     *             {
                     *               "name": "Ada Lund",
                     *               "email": "ada@acme.example"
                     *             }
                     *           ],
                     *           "timezone": "Europe/Berlin",
                     *           "openAlertCount": 2,
                     *           "createdAt": "2026-11-20T13:00:00.000Z",
                     *           "updatedAt": "2026-11-20T13:00:00.000Z",
                     *           "version": 1
                     *         }
                     *       ],
                     *       "meta": {
                     *         "limit": 50,
                     *         "hasMore": false,
                     *         "nextCursor": null,
                     *         "total": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Client"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            /** @description `VALIDATION_ERROR` or `INVALID_CURSOR` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createClient: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /**
                 * @description Makes the request safe to repeat: for 24 hours the same key with the same body answers the first answer again, and with another body 409 `IDEMPOTENCY_KEY_REUSED`.
                 * @example ticket-4711-acknowledge
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Acme Shipping",
                 *       "slug": "acme",
                 *       "externalId": "CRM-4711",
                 *       "aliases": [
                 *         "acme-eu"
                 *       ],
                 *       "contacts": [
                 *         {
                 *           "name": "Ada Lund",
                 *           "email": "ada@acme.example"
                 *         }
                 *       ],
                 *       "timezone": "Europe/Berlin"
                 *     }
                 */
                "application/json": components["schemas"]["PostClient"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "cli_01938f3a7c2e7d4ab1c2d3e4f5060020",
                     *         "name": "Acme Shipping",
                     *         "slug": "acme",
                     *         "externalId": "CRM-4711",
                     *         "description": null,
                     *         "aliases": [
                     *           "acme-eu"
                     *         ],
                     *         "contacts": [
                     *           {
                     *             "name": "Ada Lund",
                     *             "email": "ada@acme.example"
                     *           }
                     *         ],
                     *         "timezone": "Europe/Berlin",
                     *         "openAlertCount": 0,
                     *         "createdAt": "2026-11-20T13:00:00.000Z",
                     *         "updatedAt": "2026-11-20T13:00:00.000Z",
                     *         "version": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Client"];
                    };
                };
            };
            /** @description `VALIDATION_ERROR` or `INVALID_JSON` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CONFLICT` or `IDEMPOTENCY_KEY_REUSED` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getClient: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /**
                 * @description The id, as lists show it.
                 * @example cli_01938f3a7c2e7d4ab1c2d3e4f5060020
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "cli_01938f3a7c2e7d4ab1c2d3e4f5060020",
                     *         "name": "Acme Shipping",
                     *         "slug": "acme",
                     *         "externalId": "CRM-4711",
                     *         "description": null,
                     *         "aliases": [
                     *           "acme-eu"
                     *         ],
                     *         "contacts": [
                     *           {
                     *             "name": "Ada Lund",
                     *             "email": "ada@acme.example"
                     *           }
                     *         ],
                     *         "timezone": "Europe/Berlin",
                     *         "openAlertCount": 2,
                     *         "createdAt": "2026-11-20T13:00:00.000Z",
                     *         "updatedAt": "2026-11-20T13:00:00.000Z",
                     *         "version": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Client"];
                    };
                };
            };
            /** @description `VALIDATION_ERROR` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateClient: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /**
                 * @description The `ETag` of the version that the change is meant for. When the record has changed since, the answer is 412 `VERSION_MISMATCH`.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /**
                 * @description The id, as lists show it.
                 * @example cli_01938f3a7c2e7d4ab1c2d3e4f5060020
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "timezone": "Europe/Berlin"
                 *     }
                 */
                "application/json": components["schemas"]["PutClient"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "cli_01938f3a7c2e7d4ab1c2d3e4f5060020",
                     *         "name": "Acme Shipping",
                     *         "slug": "acme",
                     *         "externalId": "CRM-4711",
                     *         "description": null,
                     *         "aliases": [
                     *           "acme-eu"
                     *         ],
                     *         "contacts": [
                     *           {
                     *             "name": "Ada Lund",
                     *             "email": "ada@acme.example"
                     *           }
                     *         ],
                     *         "timezone": "Europe/Berlin",
                     *         "openAlertCount": 2,
                     *         "createdAt": "2026-11-20T13:00:00.000Z",
                     *         "updatedAt": "2026-11-20T13:00:00.000Z",
                     *         "version": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Client"];
                    };
                };
            };
            /** @description `VALIDATION_ERROR` or `INVALID_JSON` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CONFLICT` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `VERSION_MISMATCH` */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteClient: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /**
                 * @description The `ETag` of the version that the change is meant for. When the record has changed since, the answer is 412 `VERSION_MISMATCH`.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /**
                 * @description The id, as lists show it.
                 * @example cli_01938f3a7c2e7d4ab1c2d3e4f5060020
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `VALIDATION_ERROR` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RESOURCE_IN_USE` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `VERSION_MISMATCH` */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listWorkflows: {
        parameters: {
            query?: {
                /**
                 * @description Page size. A larger value is lowered to 100.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description `meta.nextCursor` of the page before. Filters and sort must be the same as then.
                 * @example WzEsInBhWDZKOFJYZ0c3TCIsIjIwMjYtMTEtMjBUMTQ6MDU6MDAuMDAwWiIsIjAxOTM4ZjNhLTdjMmUtN2Q0YS1iMWMyLWQzZTRmNTA2MTcyOCJd
                 */
                cursor?: string;
                /**
                 * @description Only those that run, or only those that are switched off.
                 * @example true
                 */
                enabled?: "true" | "false";
                /**
                 * @description Only workflows that one of these events triggers.
                 * @example [
                 *       "alert.created"
                 *     ]
                 */
                event?: components["schemas"]["WorkflowEvent"][];
                /**
                 * @description Text that occurs in the name, in any case.
                 * @example page
                 */
                q?: string;
                /**
                 * @description The field to sort by; `-` in front is descending.
                 * @example name
                 */
                sort?: "name" | "-name" | "createdAt" | "-createdAt";
            };
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "wfl_01938f3a7c2e7d4ab1c2d3e4f5060070",
                     *           "name": "Page for what is urgent",
                     *           "description": null,
                     *           "enabled": true,
                     *           "trigger": {
                     *             "events": [
                     *               "alert.created",
                     *               "alert.resumed"
                     *             ]
                     *           },
                     *           "conditions": {
                     *             "all": [
                     *               {
                     *                 "field": "severity",
                     *                 "op": "gte",
                     *                 "value": "high"
                     *               },
                     *               {
                     *                 "field": "labels.env",
                     *                 "op": "neq",
                     *                 "value": "staging"
                     *               }
                     *             ]
                     *           },
                     *           "steps": [
                     *             {
                     *               "id": "incident",
                     *               "type": "openIncident",
                     *               "params": {
                     *                 "groupBy": [
                     *                   "fingerprint"
                     *                 ],
                     *                 "windowSeconds": 0,
                     *                 "autoResolve": true,
                     *                 "title": null,
                     *                 "severity": null
                     *               },
                     *               "delaySeconds": 0,
                     *               "unless": [],
                     *               "continueOnError": false
                     *             },
                     *             {
                     *               "id": "page",
                     *               "type": "notify",
                     *               "params": {
                     *                 "targets": [
                     *                   {
                     *                     "type": "schedule",
                     *                     "id": "sch_01938f3a7c2e7d4ab1c2d3e4f5060050"
                     *                   }
                     *                 ],
                     *                 "subject": null,
                     *                 "message": null
                     *               },
                     *               "delaySeconds": 0,
                     *               "unless": [],
                     *               "continueOnError": false
                     *             },
                     *             {
                     *               "id": "escalate",
                     *               "type": "notify",
                     *               "params": {
                     *                 "targets": [
                     *                   {
                     *                     "type": "user",
                     *                     "id": "usr_01938f3a7c2e7d4ab1c2d3e4f5060031"
                     *                   }
                     *                 ],
                     *                 "subject": null,
                     *                 "message": null
                     *               },
                     *               "delaySeconds": 600,
                     *               "unless": [
                     *                 "acknowledged",
                     *                 "resolved"
                     *               ],
                     *               "continueOnError": false
                     *             }
                     *           ],
                     *           "lastRunAt": null,
                     *           "createdAt": "2026-11-20T13:00:00.000Z",
                     *           "updatedAt": "2026-11-20T13:00:00.000Z",
                     *           "version": 1
                     *         }
                     *       ],
                     *       "meta": {
                     *         "limit": 50,
                     *         "hasMore": false,
                     *         "nextCursor": null,
                     *         "total": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Workflow"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            /** @description `VALIDATION_ERROR` or `INVALID_CURSOR` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /**
                 * @description Makes the request safe to repeat: for 24 hours the same key with the same body answers the first answer again, and with another body 409 `IDEMPOTENCY_KEY_REUSED`.
                 * @example ticket-4711-acknowledge
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Page for what is urgent",
                 *       "trigger": {
                 *         "events": [
                 *           "alert.created",
                 *           "alert.resumed"
                 *         ]
                 *       },
                 *       "conditions": {
                 *         "all": [
                 *           {
                 *             "field": "severity",
                 *             "op": "gte",
                 *             "value": "high"
                 *           },
                 *           {
                 *             "field": "labels.env",
                 *             "op": "neq",
                 *             "value": "staging"
                 *           }
                 *         ]
                 *       },
                 *       "steps": [
                 *         {
                 *           "id": "incident",
                 *           "type": "openIncident",
                 *           "params": {
                 *             "groupBy": [
                 *               "fingerprint"
                 *             ],
                 *             "autoResolve": true
                 *           }
                 *         },
                 *         {
                 *           "id": "page",
                 *           "type": "notify",
                 *           "params": {
                 *             "targets": [
                 *               {
                 *                 "type": "schedule",
                 *                 "id": "sch_01938f3a7c2e7d4ab1c2d3e4f5060050"
                 *               }
                 *             ]
                 *           }
                 *         },
                 *         {
                 *           "id": "escalate",
                 *           "type": "notify",
                 *           "params": {
                 *             "targets": [
                 *               {
                 *                 "type": "user",
                 *                 "id": "usr_01938f3a7c2e7d4ab1c2d3e4f5060031"
                 *               }
                 *             ]
                 *           },
                 *           "delaySeconds": 600,
                 *           "unless": [
                 *             "acknowledged",
                 *             "resolved"
                 *           ]
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["PostWorkflow"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "wfl_01938f3a7c2e7d4ab1c2d3e4f5060070",
                     *         "name": "Page for what is urgent",
                     *         "description": null,
                     *         "enabled": true,
                     *         "trigger": {
                     *           "events": [
                     *             "alert.created",
                     *             "alert.resumed"
                     *           ]
                     *         },
                     *         "conditions": {
                     *           "all": [
                     *             {
                     *               "field": "severity",
                     *               "op": "gte",
                     *               "value": "high"
                     *             },
                     *             {
                     *               "field": "labels.env",
                     *               "op": "neq",
                     *               "value": "staging"
                     *             }
                     *           ]
                     *         },
                     *         "steps": [
                     *           {
                     *             "id": "incident",
                     *             "type": "openIncident",
                     *             "params": {
                     *               "groupBy": [
                     *                 "fingerprint"
                     *               ],
                     *               "windowSeconds": 0,
                     *               "autoResolve": true,
                     *               "title": null,
                     *               "severity": null
                     *             },
                     *             "delaySeconds": 0,
                     *             "unless": [],
                     *             "continueOnError": false
                     *           },
                     *           {
                     *             "id": "page",
                     *             "type": "notify",
                     *             "params": {
                     *               "targets": [
                     *                 {
                     *                   "type": "schedule",
                     *                   "id": "sch_01938f3a7c2e7d4ab1c2d3e4f5060050"
                     *                 }
                     *               ],
                     *               "subject": null,
                     *               "message": null
                     *             },
                     *             "delaySeconds": 0,
                     *             "unless": [],
                     *             "continueOnError": false
                     *           },
                     *           {
                     *             "id": "escalate",
                     *             "type": "notify",
                     *             "params": {
                     *               "targets": [
                     *                 {
                     *                   "type": "user",
                     *                   "id": "usr_01938f3a7c2e7d4ab1c2d3e4f5060031"
                     *                 }
                     *               ],
                     *               "subject": null,
                     *               "message": null
                     *             },
                     *             "delaySeconds": 600,
                     *             "unless": [
                     *               "acknowledged",
                     *               "resolved"
                     *             ],
                     *             "continueOnError": false
                     *           }
                     *         ],
                     *         "lastRunAt": null,
                     *         "createdAt": "2026-11-20T13:00:00.000Z",
                     *         "updatedAt": "2026-11-20T13:00:00.000Z",
                     *         "version": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Workflow"];
                    };
                };
            };
            /** @description `VALIDATION_ERROR` or `INVALID_JSON` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IDEMPOTENCY_KEY_REUSED` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /**
                 * @description The id, as lists show it.
                 * @example wfl_01938f3a7c2e7d4ab1c2d3e4f5060070
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "wfl_01938f3a7c2e7d4ab1c2d3e4f5060070",
                     *         "name": "Page for what is urgent",
                     *         "description": null,
                     *         "enabled": true,
                     *         "trigger": {
                     *           "events": [
                     *             "alert.created",
                     *             "alert.resumed"
                     *           ]
                     *         },
                     *         "conditions": {
                     *           "all": [
                     *             {
                     *               "field": "severity",
                     *               "op": "gte",
                     *               "value": "high"
                     *             },
                     *             {
                     *               "field": "labels.env",
                     *               "op": "neq",
                     *               "value": "staging"
                     *             }
                     *           ]
                     *         },
                     *         "steps": [
                     *           {
                     *             "id": "incident",
                     *             "type": "openIncident",
                     *             "params": {
                     *               "groupBy": [
                     *                 "fingerprint"
                     *               ],
                     *               "windowSeconds": 0,
                     *               "autoResolve": true,
                     *               "title": null,
                     *               "severity": null
                     *             },
                     *             "delaySeconds": 0,
                     *             "unless": [],
                     *             "continueOnError": false
                     *           },
                     *           {
                     *             "id": "page",
                     *             "type": "notify",
                     *             "params": {
                     *               "targets": [
                     *                 {
                     *                   "type": "schedule",
                     *                   "id": "sch_01938f3a7c2e7d4ab1c2d3e4f5060050"
                     *                 }
                     *               ],
                     *               "subject": null,
                     *               "message": null
                     *             },
                     *             "delaySeconds": 0,
                     *             "unless": [],
                     *             "continueOnError": false
                     *           },
                     *           {
                     *             "id": "escalate",
                     *             "type": "notify",
                     *             "params": {
                     *               "targets": [
                     *                 {
                     *                   "type": "user",
                     *                   "id": "usr_01938f3a7c2e7d4ab1c2d3e4f5060031"
                     *                 }
                     *               ],
                     *               "subject": null,
                     *               "message": null
                     *             },
                     *             "delaySeconds": 600,
                     *             "unless": [
                     *               "acknowledged",
                     *               "resolved"
                     *             ],
                     *             "continueOnError": false
                     *           }
                     *         ],
                     *         "lastRunAt": null,
                     *         "createdAt": "2026-11-20T13:00:00.000Z",
                     *         "updatedAt": "2026-11-20T13:00:00.000Z",
                     *         "version": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Workflow"];
                    };
                };
            };
            /** @description `VALIDATION_ERROR` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /**
                 * @description The `ETag` of the version that the change is meant for. When the record has changed since, the answer is 412 `VERSION_MISMATCH`.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /**
                 * @description The id, as lists show it.
                 * @example wfl_01938f3a7c2e7d4ab1c2d3e4f5060070
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": null,
                 *       "conditions": {
                 *         "all": [
                 *           {
                 *             "field": "severity",
                 *             "op": "gte",
                 *             "value": "high"
                 *           },
                 *           {
                 *             "field": "labels.env",
                 *             "op": "neq",
                 *             "value": "staging"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PutWorkflow"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "wfl_01938f3a7c2e7d4ab1c2d3e4f5060070",
                     *         "name": "Page for what is urgent",
                     *         "description": null,
                     *         "enabled": true,
                     *         "trigger": {
                     *           "events": [
                     *             "alert.created",
                     *             "alert.resumed"
                     *           ]
                     *         },
                     *         "conditions": {
                     *           "all": [
                     *             {
                     *               "field": "severity",
                     *               "op": "gte",
                     *               "value": "high"
                     *             },
                     *             {
                     *               "field": "labels.env",
                     *               "op": "neq",
                     *               "value": "staging"
                     *             }
                     *           ]
                     *         },
                     *         "steps": [
                     *           {
                     *             "id": "incident",
                     *             "type": "openIncident",
                     *             "params": {
                     *               "groupBy": [
                     *                 "fingerprint"
                     *               ],
                     *               "windowSeconds": 0,
                     *               "autoResolve": true,
                     *               "title": null,
                     *               "severity": null
                     *             },
                     *             "delaySeconds": 0,
                     *             "unless": [],
                     *             "continueOnError": false
                     *           },
                     *           {
                     *             "id": "page",
                     *             "type": "notify",
                     *             "params": {
                     *               "targets": [
                     *                 {
                     *                   "type": "schedule",
                     *                   "id": "sch_01938f3a7c2e7d4ab1c2d3e4f5060050"
                     *                 }
                     *               ],
                     *               "subject": null,
                     *               "message": null
                     *             },
                     *             "delaySeconds": 0,
                     *             "unless": [],
                     *             "continueOnError": false
                     *           },
                     *           {
                     *             "id": "escalate",
                     *             "type": "notify",
                     *             "params": {
                     *               "targets": [
                     *                 {
                     *                   "type": "user",
                     *                   "id": "usr_01938f3a7c2e7d4ab1c2d3e4f5060031"
                     *                 }
                     *               ],
                     *               "subject": null,
                     *               "message": null
                     *             },
                     *             "delaySeconds": 600,
                     *             "unless": [
                     *               "acknowledged",
                     *               "resolved"
                     *             ],
                     *             "continueOnError": false
                     *           }
                     *         ],
                     *         "lastRunAt": null,
                     *         "createdAt": "2026-11-20T13:00:00.000Z",
                     *         "updatedAt": "2026-11-20T13:00:00.000Z",
                     *         "version": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Workflow"];
                    };
                };
            };
            /** @description `VALIDATION_ERROR` or `INVALID_JSON` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `VERSION_MISMATCH` */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /**
                 * @description The `ETag` of the version that the change is meant for. When the record has changed since, the answer is 412 `VERSION_MISMATCH`.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /**
                 * @description The id, as lists show it.
                 * @example wfl_01938f3a7c2e7d4ab1c2d3e4f5060070
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `VALIDATION_ERROR` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `VERSION_MISMATCH` */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    enableWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /**
                 * @description Makes the request safe to repeat: for 24 hours the same key with the same body answers the first answer again, and with another body 409 `IDEMPOTENCY_KEY_REUSED`.
                 * @example ticket-4711-acknowledge
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description The `ETag` of the version that the change is meant for. When the record has changed since, the answer is 412 `VERSION_MISMATCH`.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /**
                 * @description The id, as lists show it.
                 * @example wfl_01938f3a7c2e7d4ab1c2d3e4f5060070
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "wfl_01938f3a7c2e7d4ab1c2d3e4f5060070",
                     *         "name": "Page for what is urgent",
                     *         "description": null,
                     *         "enabled": true,
                     *         "trigger": {
                     *           "events": [
                     *             "alert.created",
                     *             "alert.resumed"
                     *           ]
                     *         },
                     *         "conditions": {
                     *           "all": [
                     *             {
                     *               "field": "severity",
                     *               "op": "gte",
                     *               "value": "high"
                     *             },
                     *             {
                     *               "field": "labels.env",
                     *               "op": "neq",
                     *               "value": "staging"
                     *             }
                     *           ]
                     *         },
                     *         "steps": [
                     *           {
                     *             "id": "incident",
                     *             "type": "openIncident",
                     *             "params": {
                     *               "groupBy": [
                     *                 "fingerprint"
                     *               ],
                     *               "windowSeconds": 0,
                     *               "autoResolve": true,
                     *               "title": null,
                     *               "severity": null
                     *             },
                     *             "delaySeconds": 0,
                     *             "unless": [],
                     *             "continueOnError": false
                     *           },
                     *           {
                     *             "id": "page",
                     *             "type": "notify",
                     *             "params": {
                     *               "targets": [
                     *                 {
                     *                   "type": "schedule",
                     *                   "id": "sch_01938f3a7c2e7d4ab1c2d3e4f5060050"
                     *                 }
                     *               ],
                     *               "subject": null,
                     *               "message": null
                     *             },
                     *             "delaySeconds": 0,
                     *             "unless": [],
                     *             "continueOnError": false
                     *           },
                     *           {
                     *             "id": "escalate",
                     *             "type": "notify",
                     *             "params": {
                     *               "targets": [
                     *                 {
                     *                   "type": "user",
                     *                   "id": "usr_01938f3a7c2e7d4ab1c2d3e4f5060031"
                     *                 }
                     *               ],
                     *               "subject": null,
                     *               "message": null
                     *             },
                     *             "delaySeconds": 600,
                     *             "unless": [
                     *               "acknowledged",
                     *               "resolved"
                     *             ],
                     *             "continueOnError": false
                     *           }
                     *         ],
                     *         "lastRunAt": null,
                     *         "createdAt": "2026-11-20T13:00:00.000Z",
                     *         "updatedAt": "2026-11-20T13:00:00.000Z",
                     *         "version": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Workflow"];
                    };
                };
            };
            /** @description `VALIDATION_ERROR` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IDEMPOTENCY_KEY_REUSED` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `VERSION_MISMATCH` */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    disableWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /**
                 * @description Makes the request safe to repeat: for 24 hours the same key with the same body answers the first answer again, and with another body 409 `IDEMPOTENCY_KEY_REUSED`.
                 * @example ticket-4711-acknowledge
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description The `ETag` of the version that the change is meant for. When the record has changed since, the answer is 412 `VERSION_MISMATCH`.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /**
                 * @description The id, as lists show it.
                 * @example wfl_01938f3a7c2e7d4ab1c2d3e4f5060070
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "wfl_01938f3a7c2e7d4ab1c2d3e4f5060070",
                     *         "name": "Page for what is urgent",
                     *         "description": null,
                     *         "enabled": false,
                     *         "trigger": {
                     *           "events": [
                     *             "alert.created",
                     *             "alert.resumed"
                     *           ]
                     *         },
                     *         "conditions": {
                     *           "all": [
                     *             {
                     *               "field": "severity",
                     *               "op": "gte",
                     *               "value": "high"
                     *             },
                     *             {
                     *               "field": "labels.env",
                     *               "op": "neq",
                     *               "value": "staging"
                     *             }
                     *           ]
                     *         },
                     *         "steps": [
                     *           {
                     *             "id": "incident",
                     *             "type": "openIncident",
                     *             "params": {
                     *               "groupBy": [
                     *                 "fingerprint"
                     *               ],
                     *               "windowSeconds": 0,
                     *               "autoResolve": true,
                     *               "title": null,
                     *               "severity": null
                     *             },
                     *             "delaySeconds": 0,
                     *             "unless": [],
                     *             "continueOnError": false
                     *           },
                     *           {
                     *             "id": "page",
                     *             "type": "notify",
                     *             "params": {
                     *               "targets": [
                     *                 {
                     *                   "type": "schedule",
                     *                   "id": "sch_01938f3a7c2e7d4ab1c2d3e4f5060050"
                     *                 }
                     *               ],
                     *               "subject": null,
                     *               "message": null
                     *             },
                     *             "delaySeconds": 0,
                     *             "unless": [],
                     *             "continueOnError": false
                     *           },
                     *           {
                     *             "id": "escalate",
                     *             "type": "notify",
                     *             "params": {
                     *               "targets": [
                     *                 {
                     *                   "type": "user",
                     *                   "id": "usr_01938f3a7c2e7d4ab1c2d3e4f5060031"
                     *                 }
                     *               ],
                     *               "subject": null,
                     *               "message": null
                     *             },
                     *             "delaySeconds": 600,
                     *             "unless": [
                     *               "acknowledged",
                     *               "resolved"
                     *             ],
                     *             "continueOnError": false
                     *           }
                     *         ],
                     *         "lastRunAt": null,
                     *         "createdAt": "2026-11-20T13:00:00.000Z",
                     *         "updatedAt": "2026-11-20T13:00:00.000Z",
                     *         "version": 2
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Workflow"];
                    };
                };
            };
            /** @description `VALIDATION_ERROR` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IDEMPOTENCY_KEY_REUSED` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `VERSION_MISMATCH` */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    replayIntegration: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /**
                 * @description Makes the request safe to repeat: for 24 hours the same key with the same body answers the first answer again, and with another body 409 `IDEMPOTENCY_KEY_REUSED`.
                 * @example ticket-4711-acknowledge
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /**
                 * @description The id, as lists show it.
                 * @example int_01938f3a7c2e7d4ab1c2d3e4f5060001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "severityMap": {
                 *         "P1": "critical"
                 *       },
                 *       "dryRun": true
                 *     }
                 */
                "application/json": components["schemas"]["ReplayPayloads"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "saved": false,
                     *         "since": "2026-11-20T13:00:00.000Z",
                     *         "same": 3,
                     *         "changed": 1,
                     *         "nowAccepted": 0,
                     *         "nowRefused": 0,
                     *         "payloads": [
                     *           {
                     *             "integrationRequestId": "req_01938f3a7c2e7d4ab1c2d3e4f5060009",
                     *             "deliveryId": "req_01938f3a7c2e7d4ab1c2d3e4f5060009",
                     *             "receivedAt": "2026-11-20T14:05:00.000Z",
                     *             "difference": "changed",
                     *             "before": [
                     *               {
                     *                 "outcome": "event",
                     *                 "title": "High CPU",
                     *                 "severity": "medium"
                     *               }
                     *             ],
                     *             "after": [
                     *               {
                     *                 "outcome": "event",
                     *                 "title": "High CPU",
                     *                 "severity": "critical"
                     *               }
                     *             ],
                     *             "changes": [
                     *               {
                     *                 "item": 0,
                     *                 "field": "severity",
                     *                 "before": "medium",
                     *                 "after": "critical"
                     *               }
                     *             ]
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Replay"];
                    };
                };
            };
            /** @description `VALIDATION_ERROR` or `INVALID_JSON` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CONFLICT` or `IDEMPOTENCY_KEY_REUSED` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `VERSION_MISMATCH` */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listSchedules: {
        parameters: {
            query?: {
                /**
                 * @description Page size. A larger value is lowered to 100.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description `meta.nextCursor` of the page before. Filters and sort must be the same as then.
                 * @example WzEsInBhWDZKOFJYZ0c3TCIsIjIwMjYtMTEtMjBUMTQ6MDU6MDAuMDAwWiIsIjAxOTM4ZjNhLTdjMmUtN2Q0YS1iMWMyLWQzZTRmNTA2MTcyOCJd
                 */
                cursor?: string;
                /**
                 * @description Only schedules that one of these members is on.
                 * @example [
                 *       "usr_01938f3a7c2e7d4ab1c2d3e4f5060030"
                 *     ]
                 */
                userId?: string[];
                /**
                 * @description Text that occurs in the name, in any case.
                 * @example primary
                 */
                q?: string;
                /**
                 * @description The field to sort by; `-` in front is descending.
                 * @example name
                 */
                sort?: "name" | "-name" | "createdAt" | "-createdAt";
            };
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "sch_01938f3a7c2e7d4ab1c2d3e4f5060050",
                     *           "name": "Primary",
                     *           "description": null,
                     *           "timezone": "Europe/Berlin",
                     *           "layers": [
                     *             {
                     *               "id": "weekly",
                     *               "name": "Weekly",
                     *               "members": [
                     *                 "usr_01938f3a7c2e7d4ab1c2d3e4f5060030",
                     *                 "usr_01938f3a7c2e7d4ab1c2d3e4f5060031"
                     *               ],
                     *               "rotation": {
                     *                 "unit": "week",
                     *                 "interval": 1,
                     *                 "handoffTime": "09:00",
                     *                 "handoffDay": 1
                     *               },
                     *               "startsAt": "2026-11-16T08:00:00.000Z",
                     *               "endsAt": null,
                     *               "restrictions": []
                     *             }
                     *           ],
                     *           "overrides": [
                     *             {
                     *               "id": "ovr_01938f3a7c2e7d4ab1c2d3e4f5060051",
                     *               "userId": "usr_01938f3a7c2e7d4ab1c2d3e4f5060031",
                     *               "startsAt": "2026-11-21T08:00:00.000Z",
                     *               "endsAt": "2026-11-21T20:00:00.000Z",
                     *               "reason": "wedding",
                     *               "createdBy": {
                     *                 "type": "api_key",
                     *                 "id": "key_01938f3a7c2e7d4ab1c2d3e4f5060002",
                     *                 "name": "on-call bot"
                     *               },
                     *               "createdAt": "2026-11-20T14:00:00.000Z"
                     *             }
                     *           ],
                     *           "createdAt": "2026-11-20T13:00:00.000Z",
                     *           "updatedAt": "2026-11-20T14:00:00.000Z",
                     *           "version": 2
                     *         }
                     *       ],
                     *       "meta": {
                     *         "limit": 50,
                     *         "hasMore": false,
                     *         "nextCursor": null,
                     *         "total": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Schedule"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            /** @description `VALIDATION_ERROR` or `INVALID_CURSOR` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createSchedule: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /**
                 * @description Makes the request safe to repeat: for 24 hours the same key with the same body answers the first answer again, and with another body 409 `IDEMPOTENCY_KEY_REUSED`.
                 * @example ticket-4711-acknowledge
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Primary",
                 *       "timezone": "Europe/Berlin",
                 *       "layers": [
                 *         {
                 *           "name": "Weekly",
                 *           "members": [
                 *             "usr_01938f3a7c2e7d4ab1c2d3e4f5060030",
                 *             "usr_01938f3a7c2e7d4ab1c2d3e4f5060031"
                 *           ],
                 *           "rotation": {
                 *             "unit": "week",
                 *             "interval": 1,
                 *             "handoffTime": "09:00",
                 *             "handoffDay": 1
                 *           },
                 *           "startsAt": "2026-11-16T08:00:00.000Z",
                 *           "endsAt": null,
                 *           "restrictions": []
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["PostSchedule"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "sch_01938f3a7c2e7d4ab1c2d3e4f5060050",
                     *         "name": "Primary",
                     *         "description": null,
                     *         "timezone": "Europe/Berlin",
                     *         "layers": [
                     *           {
                     *             "id": "weekly",
                     *             "name": "Weekly",
                     *             "members": [
                     *               "usr_01938f3a7c2e7d4ab1c2d3e4f5060030",
                     *               "usr_01938f3a7c2e7d4ab1c2d3e4f5060031"
                     *             ],
                     *             "rotation": {
                     *               "unit": "week",
                     *               "interval": 1,
                     *               "handoffTime": "09:00",
                     *               "handoffDay": 1
                     *             },
                     *             "startsAt": "2026-11-16T08:00:00.000Z",
                     *             "endsAt": null,
                     *             "restrictions": []
                     *           }
                     *         ],
                     *         "overrides": [],
                     *         "createdAt": "2026-11-20T13:00:00.000Z",
                     *         "updatedAt": "2026-11-20T14:00:00.000Z",
                     *         "version": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Schedule"];
                    };
                };
            };
            /** @description `VALIDATION_ERROR` or `INVALID_JSON` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IDEMPOTENCY_KEY_REUSED` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getCurrentOnCall: {
        parameters: {
            query?: {
                /**
                 * @description Page size. A larger value is lowered to 100.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description `meta.nextCursor` of the page before. Filters and sort must be the same as then.
                 * @example WzEsInBhWDZKOFJYZ0c3TCIsIjIwMjYtMTEtMjBUMTQ6MDU6MDAuMDAwWiIsIjAxOTM4ZjNhLTdjMmUtN2Q0YS1iMWMyLWQzZTRmNTA2MTcyOCJd
                 */
                cursor?: string;
                /**
                 * @description Only these schedules.
                 * @example [
                 *       "sch_01938f3a7c2e7d4ab1c2d3e4f5060050"
                 *     ]
                 */
                scheduleId?: string[];
                /**
                 * @description The instant that is asked about; now when it is left out.
                 * @example 2026-11-20T14:00:00Z
                 */
                at?: string;
            };
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "scheduleId": "sch_01938f3a7c2e7d4ab1c2d3e4f5060050",
                     *           "scheduleName": "Primary",
                     *           "users": [
                     *             {
                     *               "id": "usr_01938f3a7c2e7d4ab1c2d3e4f5060030",
                     *               "name": "Mira Okafor",
                     *               "email": "mira@example.com"
                     *             }
                     *           ],
                     *           "source": "layer",
                     *           "layerId": "weekly",
                     *           "startsAt": "2026-11-16T08:00:00.000Z",
                     *           "endsAt": "2026-11-21T08:00:00.000Z",
                     *           "next": {
                     *             "users": [
                     *               {
                     *                 "id": "usr_01938f3a7c2e7d4ab1c2d3e4f5060031",
                     *                 "name": "Jon Reyes",
                     *                 "email": "jon@example.com"
                     *               }
                     *             ],
                     *             "startsAt": "2026-11-21T08:00:00.000Z",
                     *             "endsAt": "2026-11-21T20:00:00.000Z"
                     *           },
                     *           "isGap": false
                     *         }
                     *       ],
                     *       "meta": {
                     *         "limit": 50,
                     *         "hasMore": false,
                     *         "nextCursor": null,
                     *         "total": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["CurrentOnCall"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            /** @description `VALIDATION_ERROR` or `INVALID_CURSOR` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getSchedule: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /**
                 * @description The id, as lists show it.
                 * @example sch_01938f3a7c2e7d4ab1c2d3e4f5060050
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "sch_01938f3a7c2e7d4ab1c2d3e4f5060050",
                     *         "name": "Primary",
                     *         "description": null,
                     *         "timezone": "Europe/Berlin",
                     *         "layers": [
                     *           {
                     *             "id": "weekly",
                     *             "name": "Weekly",
                     *             "members": [
                     *               "usr_01938f3a7c2e7d4ab1c2d3e4f5060030",
                     *               "usr_01938f3a7c2e7d4ab1c2d3e4f5060031"
                     *             ],
                     *             "rotation": {
                     *               "unit": "week",
                     *               "interval": 1,
                     *               "handoffTime": "09:00",
                     *               "handoffDay": 1
                     *             },
                     *             "startsAt": "2026-11-16T08:00:00.000Z",
                     *             "endsAt": null,
                     *             "restrictions": []
                     *           }
                     *         ],
                     *         "overrides": [
                     *           {
                     *             "id": "ovr_01938f3a7c2e7d4ab1c2d3e4f5060051",
                     *             "userId": "usr_01938f3a7c2e7d4ab1c2d3e4f5060031",
                     *             "startsAt": "2026-11-21T08:00:00.000Z",
                     *             "endsAt": "2026-11-21T20:00:00.000Z",
                     *             "reason": "wedding",
                     *             "createdBy": {
                     *               "type": "api_key",
                     *               "id": "key_01938f3a7c2e7d4ab1c2d3e4f5060002",
                     *               "name": "on-call bot"
                     *             },
                     *             "createdAt": "2026-11-20T14:00:00.000Z"
                     *           }
                     *         ],
                     *         "createdAt": "2026-11-20T13:00:00.000Z",
                     *         "updatedAt": "2026-11-20T14:00:00.000Z",
                     *         "version": 2
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Schedule"];
                    };
                };
            };
            /** @description `VALIDATION_ERROR` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateSchedule: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /**
                 * @description The `ETag` of the version that the change is meant for. When the record has changed since, the answer is 412 `VERSION_MISMATCH`.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /**
                 * @description The id, as lists show it.
                 * @example sch_01938f3a7c2e7d4ab1c2d3e4f5060050
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "timezone": "Europe/Berlin"
                 *     }
                 */
                "application/json": components["schemas"]["PutSchedule"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "sch_01938f3a7c2e7d4ab1c2d3e4f5060050",
                     *         "name": "Primary",
                     *         "description": null,
                     *         "timezone": "Europe/Berlin",
                     *         "layers": [
                     *           {
                     *             "id": "weekly",
                     *             "name": "Weekly",
                     *             "members": [
                     *               "usr_01938f3a7c2e7d4ab1c2d3e4f5060030",
                     *               "usr_01938f3a7c2e7d4ab1c2d3e4f5060031"
                     *             ],
                     *             "rotation": {
                     *               "unit": "week",
                     *               "interval": 1,
                     *               "handoffTime": "09:00",
                     *               "handoffDay": 1
                     *             },
                     *             "startsAt": "2026-11-16T08:00:00.000Z",
                     *             "endsAt": null,
                     *             "restrictions": []
                     *           }
                     *         ],
                     *         "overrides": [
                     *           {
                     *             "id": "ovr_01938f3a7c2e7d4ab1c2d3e4f5060051",
                     *             "userId": "usr_01938f3a7c2e7d4ab1c2d3e4f5060031",
                     *             "startsAt": "2026-11-21T08:00:00.000Z",
                     *             "endsAt": "2026-11-21T20:00:00.000Z",
                     *             "reason": "wedding",
                     *             "createdBy": {
                     *               "type": "api_key",
                     *               "id": "key_01938f3a7c2e7d4ab1c2d3e4f5060002",
                     *               "name": "on-call bot"
                     *             },
                     *             "createdAt": "2026-11-20T14:00:00.000Z"
                     *           }
                     *         ],
                     *         "createdAt": "2026-11-20T13:00:00.000Z",
                     *         "updatedAt": "2026-11-20T14:00:00.000Z",
                     *         "version": 2
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Schedule"];
                    };
                };
            };
            /** @description `VALIDATION_ERROR` or `INVALID_JSON` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `VERSION_MISMATCH` */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteSchedule: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /**
                 * @description The `ETag` of the version that the change is meant for. When the record has changed since, the answer is 412 `VERSION_MISMATCH`.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /**
                 * @description The id, as lists show it.
                 * @example sch_01938f3a7c2e7d4ab1c2d3e4f5060050
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `VALIDATION_ERROR` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RESOURCE_IN_USE` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `VERSION_MISMATCH` */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createScheduleOverride: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /**
                 * @description Makes the request safe to repeat: for 24 hours the same key with the same body answers the first answer again, and with another body 409 `IDEMPOTENCY_KEY_REUSED`.
                 * @example ticket-4711-acknowledge
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /**
                 * @description The id, as lists show it.
                 * @example sch_01938f3a7c2e7d4ab1c2d3e4f5060050
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "userId": "usr_01938f3a7c2e7d4ab1c2d3e4f5060031",
                 *       "startsAt": "2026-11-21T08:00:00.000Z",
                 *       "endsAt": "2026-11-21T20:00:00.000Z",
                 *       "reason": "wedding"
                 *     }
                 */
                "application/json": components["schemas"]["PostOverride"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "ovr_01938f3a7c2e7d4ab1c2d3e4f5060051",
                     *         "userId": "usr_01938f3a7c2e7d4ab1c2d3e4f5060031",
                     *         "startsAt": "2026-11-21T08:00:00.000Z",
                     *         "endsAt": "2026-11-21T20:00:00.000Z",
                     *         "reason": "wedding",
                     *         "createdBy": {
                     *           "type": "api_key",
                     *           "id": "key_01938f3a7c2e7d4ab1c2d3e4f5060002",
                     *           "name": "on-call bot"
                     *         },
                     *         "createdAt": "2026-11-20T14:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ScheduleOverride"];
                    };
                };
            };
            /** @description `VALIDATION_ERROR` or `INVALID_JSON` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IDEMPOTENCY_KEY_REUSED` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `VERSION_MISMATCH` */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteScheduleOverride: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /**
                 * @description The id, as lists show it.
                 * @example sch_01938f3a7c2e7d4ab1c2d3e4f5060050
                 */
                id: string;
                /**
                 * @description The id, as lists show it.
                 * @example ovr_01938f3a7c2e7d4ab1c2d3e4f5060051
                 */
                overrideId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `VALIDATION_ERROR` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `VERSION_MISMATCH` */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getScheduleShifts: {
        parameters: {
            query?: {
                /**
                 * @description The beginning of the range; now when it is left out.
                 * @example 2026-11-20T00:00:00Z
                 */
                since?: string;
                /**
                 * @description Its end; 14 days after `since` when it is left out, and at most 400 days after it.
                 * @example 2026-11-23T08:00:00Z
                 */
                until?: string;
            };
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /**
                 * @description The id, as lists show it.
                 * @example sch_01938f3a7c2e7d4ab1c2d3e4f5060050
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "since": "2026-11-20T00:00:00.000Z",
                     *         "until": "2026-11-23T08:00:00.000Z",
                     *         "shifts": [
                     *           {
                     *             "user": {
                     *               "id": "usr_01938f3a7c2e7d4ab1c2d3e4f5060030",
                     *               "name": "Mira Okafor",
                     *               "email": "mira@example.com"
                     *             },
                     *             "startsAt": "2026-11-20T00:00:00.000Z",
                     *             "endsAt": "2026-11-21T08:00:00.000Z",
                     *             "source": "layer",
                     *             "layerId": "weekly",
                     *             "overrideId": null
                     *           },
                     *           {
                     *             "user": {
                     *               "id": "usr_01938f3a7c2e7d4ab1c2d3e4f5060031",
                     *               "name": "Jon Reyes",
                     *               "email": "jon@example.com"
                     *             },
                     *             "startsAt": "2026-11-21T08:00:00.000Z",
                     *             "endsAt": "2026-11-21T20:00:00.000Z",
                     *             "source": "override",
                     *             "layerId": null,
                     *             "overrideId": "ovr_01938f3a7c2e7d4ab1c2d3e4f5060051"
                     *           },
                     *           {
                     *             "user": {
                     *               "id": "usr_01938f3a7c2e7d4ab1c2d3e4f5060030",
                     *               "name": "Mira Okafor",
                     *               "email": "mira@example.com"
                     *             },
                     *             "startsAt": "2026-11-21T20:00:00.000Z",
                     *             "endsAt": "2026-11-23T08:00:00.000Z",
                     *             "source": "layer",
                     *             "layerId": "weekly",
                     *             "overrideId": null
                     *           }
                     *         ],
                     *         "gaps": []
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Shifts"];
                    };
                };
            };
            /** @description `VALIDATION_ERROR` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listSuppressionWindows: {
        parameters: {
            query?: {
                /**
                 * @description Page size. A larger value is lowered to 100.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description `meta.nextCursor` of the page before. Filters and sort must be the same as then.
                 * @example WzEsInBhWDZKOFJYZ0c3TCIsIjIwMjYtMTEtMjBUMTQ6MDU6MDAuMDAwWiIsIjAxOTM4ZjNhLTdjMmUtN2Q0YS1iMWMyLWQzZTRmNTA2MTcyOCJd
                 */
                cursor?: string;
                /**
                 * @description Only windows in one of these states.
                 * @example [
                 *       "active",
                 *       "scheduled"
                 *     ]
                 */
                status?: components["schemas"]["SuppressionStatus"][];
                /**
                 * @description Only windows that name one of these clients.
                 * @example [
                 *       "cli_01938f3a7c2e7d4ab1c2d3e4f5060020"
                 *     ]
                 */
                clientId?: string[];
                /**
                 * @description Only windows that name one of these integrations.
                 * @example [
                 *       "int_01938f3a7c2e7d4ab1c2d3e4f5060001"
                 *     ]
                 */
                integrationId?: string[];
                /**
                 * @description Text that occurs in the name, in any case.
                 * @example patching
                 */
                q?: string;
                /**
                 * @description Only windows that begin at or after this time.
                 * @example 2026-11-20T14:00:00Z
                 */
                since?: string;
                /**
                 * @description Only windows that begin before this time.
                 * @example 2026-11-20T14:00:00Z
                 */
                until?: string;
                /**
                 * @description The field to sort by; `-` in front is descending.
                 * @example -createdAt
                 */
                sort?: "name" | "-name" | "createdAt" | "-createdAt" | "startsAt" | "-startsAt";
            };
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "sup_01938f3a7c2e7d4ab1c2d3e4f5060060",
                     *           "name": "Sunday patching",
                     *           "reason": "Kernel updates",
                     *           "enabled": true,
                     *           "matchers": [
                     *             {
                     *               "field": "labels.region",
                     *               "op": "eq",
                     *               "value": "eu"
                     *             }
                     *           ],
                     *           "clientIds": [],
                     *           "integrationIds": [],
                     *           "exceptSeverities": [
                     *             "critical"
                     *           ],
                     *           "matchAll": false,
                     *           "startsAt": "2026-11-22T01:00:00.000Z",
                     *           "endsAt": null,
                     *           "timezone": "Europe/Berlin",
                     *           "rrule": "FREQ=WEEKLY;BYDAY=SU",
                     *           "durationSeconds": 7200,
                     *           "onEnd": "resume",
                     *           "status": "scheduled",
                     *           "suppressedCount": 0,
                     *           "createdBy": {
                     *             "type": "api_key",
                     *             "id": "key_01938f3a7c2e7d4ab1c2d3e4f5060002",
                     *             "name": "on-call bot"
                     *           },
                     *           "createdAt": "2026-11-20T13:00:00.000Z",
                     *           "updatedAt": "2026-11-20T13:00:00.000Z",
                     *           "version": 1
                     *         }
                     *       ],
                     *       "meta": {
                     *         "limit": 50,
                     *         "hasMore": false,
                     *         "nextCursor": null,
                     *         "total": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SuppressionWindow"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            /** @description `VALIDATION_ERROR` or `INVALID_CURSOR` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createSuppressionWindow: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /**
                 * @description Makes the request safe to repeat: for 24 hours the same key with the same body answers the first answer again, and with another body 409 `IDEMPOTENCY_KEY_REUSED`.
                 * @example ticket-4711-acknowledge
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Sunday patching",
                 *       "reason": "Kernel updates",
                 *       "matchers": [
                 *         {
                 *           "field": "labels.region",
                 *           "op": "eq",
                 *           "value": "eu"
                 *         }
                 *       ],
                 *       "exceptSeverities": [
                 *         "critical"
                 *       ],
                 *       "startsAt": "2026-11-22T01:00:00Z",
                 *       "timezone": "Europe/Berlin",
                 *       "rrule": "FREQ=WEEKLY;BYDAY=SU",
                 *       "durationSeconds": 7200
                 *     }
                 */
                "application/json": components["schemas"]["PostSuppressionWindow"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "sup_01938f3a7c2e7d4ab1c2d3e4f5060060",
                     *         "name": "Sunday patching",
                     *         "reason": "Kernel updates",
                     *         "enabled": true,
                     *         "matchers": [
                     *           {
                     *             "field": "labels.region",
                     *             "op": "eq",
                     *             "value": "eu"
                     *           }
                     *         ],
                     *         "clientIds": [],
                     *         "integrationIds": [],
                     *         "exceptSeverities": [
                     *           "critical"
                     *         ],
                     *         "matchAll": false,
                     *         "startsAt": "2026-11-22T01:00:00.000Z",
                     *         "endsAt": null,
                     *         "timezone": "Europe/Berlin",
                     *         "rrule": "FREQ=WEEKLY;BYDAY=SU",
                     *         "durationSeconds": 7200,
                     *         "onEnd": "resume",
                     *         "status": "scheduled",
                     *         "suppressedCount": 0,
                     *         "createdBy": {
                     *           "type": "api_key",
                     *           "id": "key_01938f3a7c2e7d4ab1c2d3e4f5060002",
                     *           "name": "on-call bot"
                     *         },
                     *         "createdAt": "2026-11-20T13:00:00.000Z",
                     *         "updatedAt": "2026-11-20T13:00:00.000Z",
                     *         "version": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SuppressionWindow"];
                    };
                };
            };
            /** @description `VALIDATION_ERROR` or `INVALID_JSON` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IDEMPOTENCY_KEY_REUSED` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    previewSuppressionWindow: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /**
                 * @description Makes the request safe to repeat: for 24 hours the same key with the same body answers the first answer again, and with another body 409 `IDEMPOTENCY_KEY_REUSED`.
                 * @example ticket-4711-acknowledge
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "matchers": [
                 *         {
                 *           "field": "labels.region",
                 *           "op": "eq",
                 *           "value": "eu"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["WindowScope"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "total": 1,
                     *         "alerts": [
                     *           {
                     *             "id": "alr_01938f3a7c2e7d4ab1c2d3e4f5061728",
                     *             "title": "High CPU",
                     *             "description": "CPU > 95 % for 10 min",
                     *             "severity": "critical",
                     *             "status": "firing",
                     *             "source": "prometheus",
                     *             "fingerprint": "cpu-web-01",
                     *             "fingerprintSource": "explicit",
                     *             "labels": {
                     *               "host": "web-01",
                     *               "region": "eu"
                     *             },
                     *             "annotations": {
                     *               "runbook": "https://runbooks.example.com/cpu"
                     *             },
                     *             "clientId": null,
                     *             "integrationId": "int_01938f3a7c2e7d4ab1c2d3e4f5060001",
                     *             "incidentId": null,
                     *             "assigneeId": null,
                     *             "firstOccurredAt": "2026-11-20T14:00:00.000Z",
                     *             "lastOccurredAt": "2026-11-20T14:05:00.000Z",
                     *             "occurrenceCount": 2,
                     *             "previousAlertId": null,
                     *             "acknowledgedAt": null,
                     *             "acknowledgedBy": null,
                     *             "resolvedAt": null,
                     *             "resolvedBy": null,
                     *             "resolveReason": null,
                     *             "suppression": null,
                     *             "createdAt": "2026-11-20T14:00:00.120Z",
                     *             "updatedAt": "2026-11-20T14:05:00.080Z",
                     *             "version": 2
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SuppressionPreview"];
                    };
                };
            };
            /** @description `VALIDATION_ERROR` or `INVALID_JSON` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IDEMPOTENCY_KEY_REUSED` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getSuppressionWindow: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /**
                 * @description The id, as lists show it.
                 * @example sup_01938f3a7c2e7d4ab1c2d3e4f5060060
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "sup_01938f3a7c2e7d4ab1c2d3e4f5060060",
                     *         "name": "Sunday patching",
                     *         "reason": "Kernel updates",
                     *         "enabled": true,
                     *         "matchers": [
                     *           {
                     *             "field": "labels.region",
                     *             "op": "eq",
                     *             "value": "eu"
                     *           }
                     *         ],
                     *         "clientIds": [],
                     *         "integrationIds": [],
                     *         "exceptSeverities": [
                     *           "critical"
                     *         ],
                     *         "matchAll": false,
                     *         "startsAt": "2026-11-22T01:00:00.000Z",
                     *         "endsAt": null,
                     *         "timezone": "Europe/Berlin",
                     *         "rrule": "FREQ=WEEKLY;BYDAY=SU",
                     *         "durationSeconds": 7200,
                     *         "onEnd": "resume",
                     *         "status": "scheduled",
                     *         "suppressedCount": 0,
                     *         "createdBy": {
                     *           "type": "api_key",
                     *           "id": "key_01938f3a7c2e7d4ab1c2d3e4f5060002",
                     *           "name": "on-call bot"
                     *         },
                     *         "createdAt": "2026-11-20T13:00:00.000Z",
                     *         "updatedAt": "2026-11-20T13:00:00.000Z",
                     *         "version": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SuppressionWindow"];
                    };
                };
            };
            /** @description `VALIDATION_ERROR` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateSuppressionWindow: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /**
                 * @description The `ETag` of the version that the change is meant for. When the record has changed since, the answer is 412 `VERSION_MISMATCH`.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /**
                 * @description The id, as lists show it.
                 * @example sup_01938f3a7c2e7d4ab1c2d3e4f5060060
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "enabled": true,
                 *       "reason": "Kernel updates"
                 *     }
                 */
                "application/json": components["schemas"]["PutSuppressionWindow"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "sup_01938f3a7c2e7d4ab1c2d3e4f5060060",
                     *         "name": "Sunday patching",
                     *         "reason": "Kernel updates",
                     *         "enabled": true,
                     *         "matchers": [
                     *           {
                     *             "field": "labels.region",
                     *             "op": "eq",
                     *             "value": "eu"
                     *           }
                     *         ],
                     *         "clientIds": [],
                     *         "integrationIds": [],
                     *         "exceptSeverities": [
                     *           "critical"
                     *         ],
                     *         "matchAll": false,
                     *         "startsAt": "2026-11-22T01:00:00.000Z",
                     *         "endsAt": null,
                     *         "timezone": "Europe/Berlin",
                     *         "rrule": "FREQ=WEEKLY;BYDAY=SU",
                     *         "durationSeconds": 7200,
                     *         "onEnd": "resume",
                     *         "status": "scheduled",
                     *         "suppressedCount": 0,
                     *         "createdBy": {
                     *           "type": "api_key",
                     *           "id": "key_01938f3a7c2e7d4ab1c2d3e4f5060002",
                     *           "name": "on-call bot"
                     *         },
                     *         "createdAt": "2026-11-20T13:00:00.000Z",
                     *         "updatedAt": "2026-11-20T13:00:00.000Z",
                     *         "version": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SuppressionWindow"];
                    };
                };
            };
            /** @description `VALIDATION_ERROR` or `INVALID_JSON` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `VERSION_MISMATCH` */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteSuppressionWindow: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /**
                 * @description The `ETag` of the version that the change is meant for. When the record has changed since, the answer is 412 `VERSION_MISMATCH`.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /**
                 * @description The id, as lists show it.
                 * @example sup_01938f3a7c2e7d4ab1c2d3e4f5060060
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `VALIDATION_ERROR` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `VERSION_MISMATCH` */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listMembers: {
        parameters: {
            query?: {
                /**
                 * @description Page size. A larger value is lowered to 100.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description `meta.nextCursor` of the page before. Filters and sort must be the same as then.
                 * @example WzEsInBhWDZKOFJYZ0c3TCIsIjIwMjYtMTEtMjBUMTQ6MDU6MDAuMDAwWiIsIjAxOTM4ZjNhLTdjMmUtN2Q0YS1iMWMyLWQzZTRmNTA2MTcyOCJd
                 */
                cursor?: string;
                /**
                 * @description Only members in one of these roles.
                 * @example [
                 *       "responder",
                 *       "admin"
                 *     ]
                 */
                role?: components["schemas"]["MemberRole"][];
                /**
                 * @description Only members in one of these states.
                 * @example [
                 *       "active"
                 *     ]
                 */
                status?: components["schemas"]["MemberStatus"][];
                /**
                 * @description Only members with one of these addresses, in any case.
                 * @example [
                 *       "mira@example.com"
                 *     ]
                 */
                email?: string[];
                /**
                 * @description Only those who are on call now, or only those who are not.
                 * @example true
                 */
                isOnCall?: "true" | "false";
                /**
                 * @description Text that occurs in the name or the e-mail address, in any case.
                 * @example mira
                 */
                q?: string;
                /**
                 * @description The field to sort by; `-` in front is descending.
                 * @example name
                 */
                sort?: "name" | "-name" | "createdAt" | "-createdAt";
            };
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "usr_01938f3a7c2e7d4ab1c2d3e4f5060030",
                     *           "name": "Mira Okafor",
                     *           "email": "mira@example.com",
                     *           "role": "responder",
                     *           "status": "active",
                     *           "timezone": "Europe/Berlin",
                     *           "contactMethods": [
                     *             {
                     *               "type": "email",
                     *               "address": "mira@example.com",
                     *               "verified": true
                     *             }
                     *           ],
                     *           "isOnCall": true,
                     *           "createdAt": "2026-11-20T13:00:00.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "limit": 50,
                     *         "hasMore": false,
                     *         "nextCursor": null,
                     *         "total": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Member"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            /** @description `VALIDATION_ERROR` or `INVALID_CURSOR` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listWorkflowRuns: {
        parameters: {
            query?: {
                /**
                 * @description Page size. A larger value is lowered to 100.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description `meta.nextCursor` of the page before. Filters and sort must be the same as then.
                 * @example WzEsInBhWDZKOFJYZ0c3TCIsIjIwMjYtMTEtMjBUMTQ6MDU6MDAuMDAwWiIsIjAxOTM4ZjNhLTdjMmUtN2Q0YS1iMWMyLWQzZTRmNTA2MTcyOCJd
                 */
                cursor?: string;
                /**
                 * @description Only runs in one of these states.
                 * @example [
                 *       "waiting",
                 *       "completed"
                 *     ]
                 */
                status?: ("running" | "waiting" | "completed" | "failed")[];
                /**
                 * @description Only runs about one of these alerts.
                 * @example [
                 *       "alr_01938f3a7c2e7d4ab1c2d3e4f5061728"
                 *     ]
                 */
                alertId?: string[];
                /**
                 * @description Only runs about one of these incidents.
                 * @example [
                 *       "inc_01938f3a7c2e7d4ab1c2d3e4f5060040"
                 *     ]
                 */
                incidentId?: string[];
            };
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /**
                 * @description The id, as lists show it.
                 * @example wfl_01938f3a7c2e7d4ab1c2d3e4f5060070
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "run_01938f3a7c2e7d4ab1c2d3e4f5060080",
                     *           "workflowId": "wfl_01938f3a7c2e7d4ab1c2d3e4f5060070",
                     *           "workflowName": "Page for what is urgent",
                     *           "workflowVersion": 1,
                     *           "status": "waiting",
                     *           "eventId": "tml_01938f3a7c2e7d4ab1c2d3e4f5060003",
                     *           "event": "alert.created",
                     *           "depth": 0,
                     *           "alertId": "alr_01938f3a7c2e7d4ab1c2d3e4f5061728",
                     *           "incidentId": null,
                     *           "trace": {
                     *             "path": "conditions",
                     *             "kind": "predicate",
                     *             "holds": true,
                     *             "field": "severity",
                     *             "op": "gte",
                     *             "value": "high",
                     *             "actual": "critical"
                     *           },
                     *           "steps": [
                     *             {
                     *               "id": "page",
                     *               "type": "notify",
                     *               "outcome": "done",
                     *               "reason": null,
                     *               "detail": {
                     *                 "notifications": [
                     *                   {
                     *                     "channel": "email",
                     *                     "target": "mira@example.com",
                     *                     "why": "You are on call in \"Primary\".",
                     *                     "unreachable": null,
                     *                     "onCall": {
                     *                       "scheduleId": "sch_01938f3a7c2e7d4ab1c2d3e4f5060050",
                     *                       "scheduleName": "Primary",
                     *                       "source": "layer",
                     *                       "layer": "Weekly",
                     *                       "until": "2026-11-23T08:00:00.000Z"
                     *                     }
                     *                   }
                     *                 ]
                     *               },
                     *               "at": "2026-11-20T14:00:00.300Z"
                     *             },
                     *             {
                     *               "id": "escalate",
                     *               "type": "notify",
                     *               "outcome": "pending",
                     *               "reason": null,
                     *               "detail": null,
                     *               "at": "2026-11-20T14:10:00.300Z"
                     *             }
                     *           ],
                     *           "error": null,
                     *           "createdAt": "2026-11-20T14:00:00.250Z",
                     *           "finishedAt": null
                     *         }
                     *       ],
                     *       "meta": {
                     *         "limit": 50,
                     *         "hasMore": false,
                     *         "nextCursor": null,
                     *         "total": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["WorkflowRun"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            /** @description `VALIDATION_ERROR` or `INVALID_CURSOR` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    testWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /**
                 * @description Makes the request safe to repeat: for 24 hours the same key with the same body answers the first answer again, and with another body 409 `IDEMPOTENCY_KEY_REUSED`.
                 * @example ticket-4711-acknowledge
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /**
                 * @description The id, as lists show it.
                 * @example wfl_01938f3a7c2e7d4ab1c2d3e4f5060070
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "payload": {
                 *         "title": "High CPU",
                 *         "severity": "critical"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["TestWorkflow"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "runs": true,
                     *         "reason": null,
                     *         "trace": {
                     *           "path": "conditions",
                     *           "kind": "predicate",
                     *           "holds": true,
                     *           "field": "severity",
                     *           "op": "gte",
                     *           "value": "high",
                     *           "actual": "critical"
                     *         },
                     *         "steps": [
                     *           {
                     *             "id": "incident",
                     *             "type": "openIncident",
                     *             "at": "2026-11-20T14:00:00.000Z",
                     *             "would": "join incident 12 \"Checkout is slow\" (one for each labels.service)",
                     *             "targets": [],
                     *             "unless": [],
                     *             "outcome": "done",
                     *             "reason": null,
                     *             "changed": true,
                     *             "incident": {
                     *               "decision": "joined",
                     *               "id": "inc_01938f3a7c2e7d4ab1c2d3e4f5060040",
                     *               "number": 12,
                     *               "title": "Checkout is slow",
                     *               "status": "triggered"
                     *             }
                     *           },
                     *           {
                     *             "id": "severity",
                     *             "type": "setSeverity",
                     *             "at": "2026-11-20T14:00:00.000Z",
                     *             "would": "set the severity to high",
                     *             "targets": [],
                     *             "unless": [],
                     *             "outcome": "done",
                     *             "reason": null,
                     *             "changed": true,
                     *             "incident": null
                     *           },
                     *           {
                     *             "id": "page",
                     *             "type": "notify",
                     *             "at": "2026-11-20T14:00:00.000Z",
                     *             "would": "nothing: the incident was open already and its people knew",
                     *             "targets": [],
                     *             "unless": [
                     *               "acknowledged"
                     *             ],
                     *             "outcome": "skipped",
                     *             "reason": "joined",
                     *             "changed": null,
                     *             "incident": null
                     *           }
                     *         ],
                     *         "event": "alert.created",
                     *         "alert": {
                     *           "decision": "opened",
                     *           "alertId": null,
                     *           "status": "firing",
                     *           "changes": []
                     *         },
                     *         "windows": []
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["WorkflowTest"];
                    };
                };
            };
            /** @description `VALIDATION_ERROR` or `INVALID_JSON` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IDEMPOTENCY_KEY_REUSED` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listNotifications: {
        parameters: {
            query?: {
                /**
                 * @description Page size. A larger value is lowered to 100.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description `meta.nextCursor` of the page before. Filters and sort must be the same as then.
                 * @example WzEsInBhWDZKOFJYZ0c3TCIsIjIwMjYtMTEtMjBUMTQ6MDU6MDAuMDAwWiIsIjAxOTM4ZjNhLTdjMmUtN2Q0YS1iMWMyLWQzZTRmNTA2MTcyOCJd
                 */
                cursor?: string;
                /**
                 * @description Only notifications in one of these states.
                 * @example [
                 *       "failed",
                 *       "sent"
                 *     ]
                 */
                status?: components["schemas"]["NotificationStatus"][];
                /**
                 * @description Only notifications by one of these channels.
                 * @example [
                 *       "email"
                 *     ]
                 */
                channel?: components["schemas"]["Channel"][];
                /**
                 * @description Only notifications about one of these alerts.
                 * @example [
                 *       "alr_01938f3a7c2e7d4ab1c2d3e4f5061728"
                 *     ]
                 */
                alertId?: string[];
                /**
                 * @description Only notifications about one of these incidents.
                 * @example [
                 *       "inc_01938f3a7c2e7d4ab1c2d3e4f5060040"
                 *     ]
                 */
                incidentId?: string[];
                /**
                 * @description Only notifications of one of these workflows.
                 * @example [
                 *       "wfl_01938f3a7c2e7d4ab1c2d3e4f5060070"
                 *     ]
                 */
                workflowId?: string[];
                /**
                 * @description Only notifications to one of these members.
                 * @example [
                 *       "usr_01938f3a7c2e7d4ab1c2d3e4f5060030"
                 *     ]
                 */
                userId?: string[];
                /**
                 * @description Only notifications that were made at or after this time.
                 * @example 2026-11-20T14:00:00Z
                 */
                since?: string;
                /**
                 * @description Only notifications that were made before this time.
                 * @example 2026-11-20T14:00:00Z
                 */
                until?: string;
            };
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "ntf_01938f3a7c2e7d4ab1c2d3e4f5060090",
                     *           "alertId": "alr_01938f3a7c2e7d4ab1c2d3e4f5061728",
                     *           "incidentId": "inc_01938f3a7c2e7d4ab1c2d3e4f5060040",
                     *           "workflowId": "wfl_01938f3a7c2e7d4ab1c2d3e4f5060070",
                     *           "runId": "run_01938f3a7c2e7d4ab1c2d3e4f5060080",
                     *           "stepId": "page",
                     *           "userId": "usr_01938f3a7c2e7d4ab1c2d3e4f5060030",
                     *           "target": "mira@example.com",
                     *           "channel": "email",
                     *           "status": "sent",
                     *           "reason": "250 2.0.0 OK",
                     *           "why": "You are on call in \"Primary\".",
                     *           "attempts": 1,
                     *           "nextAttemptAt": null,
                     *           "createdAt": "2026-11-20T14:00:00.300Z",
                     *           "updatedAt": "2026-11-20T14:00:00.700Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "limit": 50,
                     *         "hasMore": false,
                     *         "nextCursor": null,
                     *         "total": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Notification"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            /** @description `VALIDATION_ERROR` or `INVALID_CURSOR` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getNotification: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /**
                 * @description The id, as lists show it.
                 * @example ntf_01938f3a7c2e7d4ab1c2d3e4f5060090
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "ntf_01938f3a7c2e7d4ab1c2d3e4f5060090",
                     *         "alertId": "alr_01938f3a7c2e7d4ab1c2d3e4f5061728",
                     *         "incidentId": "inc_01938f3a7c2e7d4ab1c2d3e4f5060040",
                     *         "workflowId": "wfl_01938f3a7c2e7d4ab1c2d3e4f5060070",
                     *         "runId": "run_01938f3a7c2e7d4ab1c2d3e4f5060080",
                     *         "stepId": "page",
                     *         "userId": "usr_01938f3a7c2e7d4ab1c2d3e4f5060030",
                     *         "target": "mira@example.com",
                     *         "channel": "email",
                     *         "status": "sent",
                     *         "reason": "250 2.0.0 OK",
                     *         "why": "You are on call in \"Primary\".",
                     *         "attempts": 1,
                     *         "nextAttemptAt": null,
                     *         "createdAt": "2026-11-20T14:00:00.300Z",
                     *         "updatedAt": "2026-11-20T14:00:00.700Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Notification"];
                    };
                };
            };
            /** @description `VALIDATION_ERROR` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    sendTestNotification: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /**
                 * @description Makes the request safe to repeat: for 24 hours the same key with the same body answers the first answer again, and with another body 409 `IDEMPOTENCY_KEY_REUSED`.
                 * @example ticket-4711-acknowledge
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "target": {
                 *         "type": "email",
                 *         "address": "mira@example.com"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["TestNotification"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "ntf_01938f3a7c2e7d4ab1c2d3e4f5060090",
                     *         "alertId": null,
                     *         "incidentId": null,
                     *         "workflowId": null,
                     *         "runId": null,
                     *         "stepId": null,
                     *         "userId": null,
                     *         "target": "mira@example.com",
                     *         "channel": "email",
                     *         "status": "queued",
                     *         "reason": null,
                     *         "why": "Somebody sends a test.",
                     *         "attempts": 0,
                     *         "nextAttemptAt": null,
                     *         "createdAt": "2026-11-20T14:00:00.300Z",
                     *         "updatedAt": "2026-11-20T14:00:00.700Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Notification"];
                    };
                };
            };
            /** @description `VALIDATION_ERROR` or `INVALID_JSON` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IDEMPOTENCY_KEY_REUSED` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /**
                 * @description Page size. A larger value is lowered to 100.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description `meta.nextCursor` of the page before. Filters and sort must be the same as then.
                 * @example WzEsInBhWDZKOFJYZ0c3TCIsIjIwMjYtMTEtMjBUMTQ6MDU6MDAuMDAwWiIsIjAxOTM4ZjNhLTdjMmUtN2Q0YS1iMWMyLWQzZTRmNTA2MTcyOCJd
                 */
                cursor?: string;
                /**
                 * @description Only notifications in one of these states.
                 * @example [
                 *       "failed",
                 *       "sent"
                 *     ]
                 */
                status?: components["schemas"]["NotificationStatus"][];
                /**
                 * @description Only notifications by one of these channels.
                 * @example [
                 *       "email"
                 *     ]
                 */
                channel?: components["schemas"]["Channel"][];
                /**
                 * @description Only notifications about one of these alerts.
                 * @example [
                 *       "alr_01938f3a7c2e7d4ab1c2d3e4f5061728"
                 *     ]
                 */
                alertId?: string[];
                /**
                 * @description Only notifications about one of these incidents.
                 * @example [
                 *       "inc_01938f3a7c2e7d4ab1c2d3e4f5060040"
                 *     ]
                 */
                incidentId?: string[];
                /**
                 * @description Only notifications of one of these workflows.
                 * @example [
                 *       "wfl_01938f3a7c2e7d4ab1c2d3e4f5060070"
                 *     ]
                 */
                workflowId?: string[];
                /**
                 * @description Only notifications to one of these members.
                 * @example [
                 *       "usr_01938f3a7c2e7d4ab1c2d3e4f5060030"
                 *     ]
                 */
                userId?: string[];
                /**
                 * @description Only notifications that were made at or after this time.
                 * @example 2026-11-20T14:00:00Z
                 */
                since?: string;
                /**
                 * @description Only notifications that were made before this time.
                 * @example 2026-11-20T14:00:00Z
                 */
                until?: string;
            };
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "ntf_01938f3a7c2e7d4ab1c2d3e4f5060090",
                     *           "alertId": "alr_01938f3a7c2e7d4ab1c2d3e4f5061728",
                     *           "incidentId": "inc_01938f3a7c2e7d4ab1c2d3e4f5060040",
                     *           "workflowId": "wfl_01938f3a7c2e7d4ab1c2d3e4f5060070",
                     *           "runId": "run_01938f3a7c2e7d4ab1c2d3e4f5060080",
                     *           "stepId": "page",
                     *           "userId": "usr_01938f3a7c2e7d4ab1c2d3e4f5060030",
                     *           "target": "mira@example.com",
                     *           "channel": "email",
                     *           "status": "sent",
                     *           "reason": "250 2.0.0 OK",
                     *           "why": "You are on call in \"Primary\".",
                     *           "attempts": 1,
                     *           "nextAttemptAt": null,
                     *           "createdAt": "2026-11-20T14:00:00.300Z",
                     *           "updatedAt": "2026-11-20T14:00:00.700Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "limit": 50,
                     *         "hasMore": false,
                     *         "nextCursor": null,
                     *         "total": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Notification"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            /** @description `VALIDATION_ERROR` or `INVALID_CURSOR` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getDelivery: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /**
                 * @description The id, as lists show it.
                 * @example ntf_01938f3a7c2e7d4ab1c2d3e4f5060090
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "ntf_01938f3a7c2e7d4ab1c2d3e4f5060090",
                     *         "alertId": "alr_01938f3a7c2e7d4ab1c2d3e4f5061728",
                     *         "incidentId": "inc_01938f3a7c2e7d4ab1c2d3e4f5060040",
                     *         "workflowId": "wfl_01938f3a7c2e7d4ab1c2d3e4f5060070",
                     *         "runId": "run_01938f3a7c2e7d4ab1c2d3e4f5060080",
                     *         "stepId": "page",
                     *         "userId": "usr_01938f3a7c2e7d4ab1c2d3e4f5060030",
                     *         "target": "mira@example.com",
                     *         "channel": "email",
                     *         "status": "sent",
                     *         "reason": "250 2.0.0 OK",
                     *         "why": "You are on call in \"Primary\".",
                     *         "attempts": 1,
                     *         "nextAttemptAt": null,
                     *         "createdAt": "2026-11-20T14:00:00.300Z",
                     *         "updatedAt": "2026-11-20T14:00:00.700Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Notification"];
                    };
                };
            };
            /** @description `VALIDATION_ERROR` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    sendTestDelivery: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /**
                 * @description Makes the request safe to repeat: for 24 hours the same key with the same body answers the first answer again, and with another body 409 `IDEMPOTENCY_KEY_REUSED`.
                 * @example ticket-4711-acknowledge
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "target": {
                 *         "type": "email",
                 *         "address": "mira@example.com"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["TestNotification"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "ntf_01938f3a7c2e7d4ab1c2d3e4f5060090",
                     *         "alertId": null,
                     *         "incidentId": null,
                     *         "workflowId": null,
                     *         "runId": null,
                     *         "stepId": null,
                     *         "userId": null,
                     *         "target": "mira@example.com",
                     *         "channel": "email",
                     *         "status": "queued",
                     *         "reason": null,
                     *         "why": "Somebody sends a test.",
                     *         "attempts": 0,
                     *         "nextAttemptAt": null,
                     *         "createdAt": "2026-11-20T14:00:00.300Z",
                     *         "updatedAt": "2026-11-20T14:00:00.700Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Notification"];
                    };
                };
            };
            /** @description `VALIDATION_ERROR` or `INVALID_JSON` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IDEMPOTENCY_KEY_REUSED` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    explainAlert: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /**
                 * @description The id, as lists show it.
                 * @example alr_01938f3a7c2e7d4ab1c2d3e4f5061728
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "alertId": "alr_01938f3a7c2e7d4ab1c2d3e4f5061728",
                     *         "summary": "Opened by \"Prometheus EU\" at 14:00 UTC as critical. \"Page for what is urgent\" ran and told mira@example.com.",
                     *         "events": [
                     *           {
                     *             "id": "evt_01938f3a7c2e7d4ab1c2d3e4f5060010",
                     *             "receivedAt": "2026-11-20T14:00:00.000Z",
                     *             "outcome": "opened",
                     *             "mapping": {
                     *               "title": {
                     *                 "from": "mapping",
                     *                 "path": "check.name"
                     *               }
                     *             },
                     *             "fingerprint": {
                     *               "value": "cpu-web-01",
                     *               "source": "explicit",
                     *               "inputs": {
                     *                 "fingerprint": "cpu-web-01"
                     *               },
                     *               "scope": "integration"
                     *             },
                     *             "windows": []
                     *           }
                     *         ],
                     *         "decisions": [
                     *           {
                     *             "eventId": "tml_01938f3a7c2e7d4ab1c2d3e4f5060003",
                     *             "event": "alert.created",
                     *             "occurredAt": "2026-11-20T14:00:00.000Z",
                     *             "workflows": [
                     *               {
                     *                 "workflowId": "wfl_01938f3a7c2e7d4ab1c2d3e4f5060070",
                     *                 "name": "Page for what is urgent",
                     *                 "version": 1,
                     *                 "outcome": "run",
                     *                 "trace": {
                     *                   "path": "conditions",
                     *                   "kind": "predicate",
                     *                   "holds": true,
                     *                   "field": "severity",
                     *                   "op": "gte",
                     *                   "value": "high",
                     *                   "actual": "critical"
                     *                 }
                     *               }
                     *             ]
                     *           }
                     *         ],
                     *         "runs": [],
                     *         "notifications": [],
                     *         "deliveries": []
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Explanation"];
                    };
                };
            };
            /** @description `VALIDATION_ERROR` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    simulate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /**
                 * @description Makes the request safe to repeat: for 24 hours the same key with the same body answers the first answer again, and with another body 409 `IDEMPOTENCY_KEY_REUSED`.
                 * @example ticket-4711-acknowledge
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "alert": {
                 *         "title": "High CPU",
                 *         "severity": "critical",
                 *         "fingerprint": "cpu-web-01"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Simulate"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "at": "2026-11-20T14:00:00.000Z",
                     *         "items": [
                     *           {
                     *             "outcome": "event",
                     *             "reason": null,
                     *             "faults": [],
                     *             "event": {
                     *               "title": "High CPU",
                     *               "severity": "critical",
                     *               "status": "firing"
                     *             },
                     *             "mapping": {
                     *               "title": {
                     *                 "from": "standard",
                     *                 "path": "title"
                     *               }
                     *             },
                     *             "fingerprint": {
                     *               "value": "cpu-web-01",
                     *               "source": "explicit",
                     *               "inputs": {
                     *                 "fingerprint": "cpu-web-01"
                     *               },
                     *               "scope": "integration"
                     *             },
                     *             "alert": {
                     *               "decision": "opened",
                     *               "alertId": null,
                     *               "status": "firing",
                     *               "changes": []
                     *             },
                     *             "windows": [],
                     *             "workflows": [
                     *               {
                     *                 "workflowId": "wfl_01938f3a7c2e7d4ab1c2d3e4f5060070",
                     *                 "name": "Page for what is urgent",
                     *                 "version": 1,
                     *                 "outcome": "run",
                     *                 "trace": {
                     *                   "path": "conditions",
                     *                   "kind": "predicate",
                     *                   "holds": true,
                     *                   "field": "severity",
                     *                   "op": "gte",
                     *                   "value": "high",
                     *                   "actual": "critical"
                     *                 },
                     *                 "event": "alert.created",
                     *                 "steps": [
                     *                   {
                     *                     "id": "incident",
                     *                     "type": "openIncident",
                     *                     "at": "2026-11-20T14:00:00.000Z",
                     *                     "would": "join incident 12 \"Checkout is slow\" (one for each labels.service)",
                     *                     "targets": [],
                     *                     "unless": [],
                     *                     "outcome": "done",
                     *                     "reason": null,
                     *                     "changed": true,
                     *                     "incident": {
                     *                       "decision": "joined",
                     *                       "id": "inc_01938f3a7c2e7d4ab1c2d3e4f5060040",
                     *                       "number": 12,
                     *                       "title": "Checkout is slow",
                     *                       "status": "triggered"
                     *                     }
                     *                   },
                     *                   {
                     *                     "id": "severity",
                     *                     "type": "setSeverity",
                     *                     "at": "2026-11-20T14:00:00.000Z",
                     *                     "would": "set the severity to high",
                     *                     "targets": [],
                     *                     "unless": [],
                     *                     "outcome": "done",
                     *                     "reason": null,
                     *                     "changed": true,
                     *                     "incident": null
                     *                   },
                     *                   {
                     *                     "id": "page",
                     *                     "type": "notify",
                     *                     "at": "2026-11-20T14:00:00.000Z",
                     *                     "would": "nothing: the incident was open already and its people knew",
                     *                     "targets": [],
                     *                     "unless": [
                     *                       "acknowledged"
                     *                     ],
                     *                     "outcome": "skipped",
                     *                     "reason": "joined",
                     *                     "changed": null,
                     *                     "incident": null
                     *                   }
                     *                 ],
                     *                 "depth": 0,
                     *                 "runStatus": "completed"
                     *               }
                     *             ],
                     *             "follows": [
                     *               {
                     *                 "event": "alert.severityChanged",
                     *                 "at": "2026-11-20T14:00:00.000Z",
                     *                 "depth": 1,
                     *                 "cause": {
                     *                   "type": "workflow",
                     *                   "workflowId": "wfl_01938f3a7c2e7d4ab1c2d3e4f5060070",
                     *                   "workflowName": "Page for what is urgent",
                     *                   "stepId": "severity"
                     *                 },
                     *                 "alert": {
                     *                   "id": null,
                     *                   "title": "High CPU",
                     *                   "fingerprint": "cpu-web-01",
                     *                   "severity": "high",
                     *                   "status": "firing"
                     *                 },
                     *                 "incident": null,
                     *                 "changes": [
                     *                   {
                     *                     "field": "severity",
                     *                     "before": "critical",
                     *                     "after": "high"
                     *                   }
                     *                 ],
                     *                 "workflows": []
                     *               }
                     *             ],
                     *             "leftOut": false
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Simulation"];
                    };
                };
            };
            /** @description `VALIDATION_ERROR` or `INVALID_JSON` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_SCOPE` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IDEMPOTENCY_KEY_REUSED` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOpenApiDocument: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id of your own for the request, 1 to 200 visible ASCII characters. The answer, the audit log and our logs carry it.
                 * @example 01938f3a-7c2e-7d4a-b1c2-d3e4f5061728
                 */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "openapi": "3.0.3"
                     *     }
                     */
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}
