package weir.real;

/** The wire engine keeps the contract, but for groups, which it has not. */
class WireEngineIT extends EngineContract {
    @Override
    Carried.Engines engines() {
        return Carrier.WIRE;
    }
}
