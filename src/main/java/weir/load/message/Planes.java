package weir.load.message;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/**
 * A text about planes on great circles between airports, one line for each position report: {@code
 * id,ts,speed,dist,bearing,rtid,"orig","dest",secsToDep,lon,lat}.
 */
final class Planes implements WrittenText.Writing {
    private static final int PLANES = 1_000;
    private static final double EARTH_KM = 6_371;
    private static final byte[] QUOTE_COMMA_QUOTE = {'"', ',', '"'};

    private static final long FIRST_MILLIS = 1_500_000_000_000L;

    private final Route[] routes = new Route[PLANES];
    private final SplittableRandom random;
    private final long firstId;

    private static final class Route {
        int id;
        Airport from = Airport.ALL[0];
        Airport to = Airport.ALL[1];
        double kilometres;
        double speed;
        int departsIn;
        double flown;
    }

    private static final class Airport {
        static final Airport[] ALL = {
            at("Amsterdam Schiphol", 52.309, 4.764), at("Atlanta Hartsfield Jackson", 33.637, -84.428),
            at("Beijing Capital International", 40.080, 116.585), at("Buenos Aires Ezeiza", -34.822, -58.536),
            at("Cairo International Airport", 30.122, 31.406), at("Chicago O'Hare International", 41.979, -87.905),
            at("Delhi Indira Gandhi Intl", 28.567, 77.103), at("Dubai International Airport", 25.253, 55.364),
            at("Frankfurt am Main Airport", 50.026, 8.543), at("Johannesburg OR Tambo Intl", -26.139, 28.246),
            at("Lima Jorge Chavez Airport", -12.022, -77.114), at("London Heathrow Airport", 51.471, -0.462),
            at("Los Angeles International", 33.942, -118.408), at("Mexico City Benito Juarez", 19.436, -99.072),
            at("New York John F Kennedy", 40.640, -73.779), at("Paris Charles de Gaulle", 49.013, 2.550),
            at("San Francisco International", 37.619, -122.375), at("Sao Paulo Guarulhos Intl", -23.432, -46.469),
            at("Singapore Changi Airport", 1.350, 103.994), at("Sydney Kingsford Smith Intl", -33.946, 151.177),
            at("Tokyo Haneda International", 35.552, 139.780), at("Toronto Lester B Pearson", 43.677, -79.631),
        };

        final byte[] name;
        final double x;
        final double y;
        final double z;

        private Airport(String name, double phi, double lambda) {
            this.name = name.getBytes(StandardCharsets.US_ASCII);
            this.x = Math.cos(phi) * Math.cos(lambda);
            this.y = Math.cos(phi) * Math.sin(lambda);
            this.z = Math.sin(phi);
        }

        private static Airport at(String name, double latitude, double longitude) {
            return new Airport(name, Math.toRadians(latitude), Math.toRadians(longitude));
        }

        double angleTo(Airport other) {
            return Math.acos(Math.max(-1, Math.min(1, x * other.x + y * other.y + z * other.z)));
        }
    }

    Planes(int producer, long seed) {
        firstId = (long) producer * PLANES;
        random = new SplittableRandom(seed);
        for (int i = 0; i < PLANES; i++) {
            routes[i] = new Route();
            depart(routes[i]);
            routes[i].departsIn = 0;
            routes[i].flown = random.nextDouble() * routes[i].kilometres;
        }
    }

    @Override
    public void write(long sequence, byte[] value, Ascii into) {
        int plane = (int) (sequence % PLANES);
        long second = sequence / PLANES;
        Route route = routes[plane];
        advance(route);
        Airport from = route.from;
        Airport to = route.to;
        double angle = route.kilometres / EARTH_KM;
        double share = route.flown / route.kilometres;
        double a = Math.sin((1 - share) * angle) / Math.sin(angle);
        double b = Math.sin(share * angle) / Math.sin(angle);
        double x = a * from.x + b * to.x;
        double y = a * from.y + b * to.y;
        double z = a * from.z + b * to.z;
        double longitude = Math.toDegrees(Math.atan2(y, x));
        double latitude = Math.toDegrees(Math.atan2(z, Math.sqrt(x * x + y * y)));
        // East is (-y, x, 0) and north is (-xz, -yz, x² + y²), with the same length.
        double east = x * to.y - y * to.x;
        double north = (x * x + y * y) * to.z - z * (x * to.x + y * to.y);
        double bearing = (Math.toDegrees(Math.atan2(east, north)) + 360) % 360;
        into.number(firstId + plane)
                .character(',')
                .number(FIRST_MILLIS + 1_000 * second + plane)
                .character(',');
        into.decimal(route.departsIn > 0 ? 0 : route.speed * 3_600, 2).character(',');
        into.decimal(route.kilometres - route.flown, 2).character(',');
        into.decimal(bearing, 2).character(',').number(route.id).character(',');
        into.character('"')
                .text(from.name)
                .text(QUOTE_COMMA_QUOTE)
                .text(to.name)
                .character('"')
                .character(',');
        into.number(route.departsIn > 0 ? route.departsIn : -1).character(',');
        into.decimal(longitude, 5).character(',').decimal(latitude, 5);
    }

    private void advance(Route route) {
        if (route.departsIn > 0) {
            route.departsIn--;
        } else if (route.flown + route.speed < route.kilometres) {
            route.flown += route.speed;
        } else {
            depart(route);
        }
    }

    private void depart(Route route) {
        route.from = route.to;
        while (route.to.equals(route.from)) {
            route.to = Airport.ALL[random.nextInt(Airport.ALL.length)];
        }
        route.id = 1_000 + random.nextInt(9_000);
        route.kilometres = route.from.angleTo(route.to) * EARTH_KM;
        route.speed = (700 + 250 * random.nextDouble()) / 3_600;
        route.departsIn = 60 + random.nextInt(3_540);
        route.flown = 0;
    }
}
