// How the gateways learn of keys and sessions that a command has ended.

/** Null without NATS: then no gateway can admit requests, so what has ended has no effect any more. */
export const rpcToGateways = (broker, RpcClient) =>
  broker().then(
    (connection) => new RpcClient(connection),
    () => null,
  );

export const confirmed = (gatewaysTold) =>
  gatewaysTold === 0
    ? 'no gateway responded'
    : `${gatewaysTold} ${gatewaysTold === 1 ? 'gateway' : 'gateways'} confirmed`;
